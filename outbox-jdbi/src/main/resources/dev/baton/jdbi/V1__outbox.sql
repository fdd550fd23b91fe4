-- The outbox and the dead letters. Usable by Flyway as it is; OutboxSchema.migrate runs it under a lock.

CREATE TABLE IF NOT EXISTS outbox_events (
  -- The order in which events were written. created_at is not: it is when a transaction began.
  seq          bigint      GENERATED ALWAYS AS IDENTITY,
  -- The message id everywhere downstream.
  id           uuid        PRIMARY KEY,
  topic        text        NOT NULL,
  aggregate_id text        NOT NULL,
  payload      jsonb       NOT NULL,
  -- W3C trace context and the caller's correlation id.
  headers      jsonb       NOT NULL DEFAULT '{}',
  created_at   timestamptz NOT NULL DEFAULT now(),
  -- NULL: not handed over yet.
  published_at timestamptz
);

-- The relay reads unpublished rows only: the index stays small however large the table is.
CREATE INDEX IF NOT EXISTS outbox_unpublished ON outbox_events (seq) WHERE published_at IS NULL;

CREATE TABLE IF NOT EXISTS dead_letters (
  id               uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
  queue            text        NOT NULL,
  job_id           text        NOT NULL,
  job_name         text        NOT NULL,
  -- text, not jsonb: kept as it was received, also if it is not JSON.
  payload          text        NOT NULL,
  headers          jsonb       NOT NULL DEFAULT '{}',
  reason           text        NOT NULL,
  error_class      text,
  error            text        NOT NULL,
  stack_trace      text,
  attempts         int         NOT NULL,
  starts           int         NOT NULL,
  first_failure_at timestamptz NOT NULL,
  died_at          timestamptz NOT NULL,
  buried_at        timestamptz NOT NULL DEFAULT now(),
  -- NULL: nobody has dealt with it yet.
  closed_at        timestamptz,
  UNIQUE (queue, job_id)
);

CREATE INDEX IF NOT EXISTS dead_letters_open ON dead_letters (died_at) WHERE closed_at IS NULL;
