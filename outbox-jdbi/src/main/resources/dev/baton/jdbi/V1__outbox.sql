-- The outbox. Usable by Flyway as it is; OutboxSchema.migrate runs it under a lock.

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
