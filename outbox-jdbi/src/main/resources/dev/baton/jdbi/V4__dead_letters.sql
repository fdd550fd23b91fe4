-- The dead letters, what was done with them, and the runs that send them back.

CREATE TABLE IF NOT EXISTS dead_letters (
  id               uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
  queue            text        NOT NULL,
  -- What stays the same when the job is sent back; a queue has one letter of a message.
  message_id       text        NOT NULL,
  -- The id under which it died last.
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
  -- Letters with the same error have the same.
  error_group      text        NOT NULL,
  state            text        NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'REDRIVEN', 'DISCARDED')),
  redrives         int         NOT NULL DEFAULT 0,
  -- The last ten deaths, the last one first; they tell a repeated burial from another death.
  history          jsonb       NOT NULL,
  buried_at        timestamptz NOT NULL DEFAULT now(),
  closed_at        timestamptz,
  note             text,
  UNIQUE (queue, message_id)
);

-- Every one ends in the order of a page, so a page costs the same however many letters there are; and begins with the state, as
-- few open ones may lie among very many that are closed.
CREATE INDEX IF NOT EXISTS dead_letters_died ON dead_letters (state, died_at, id);
CREATE INDEX IF NOT EXISTS dead_letters_queue ON dead_letters (state, queue, died_at, id);
CREATE INDEX IF NOT EXISTS dead_letters_job ON dead_letters (state, job_name, died_at, id);
CREATE INDEX IF NOT EXISTS dead_letters_class ON dead_letters (state, error_class, died_at, id);
CREATE INDEX IF NOT EXISTS dead_letters_reason ON dead_letters (state, reason, died_at, id);
CREATE INDEX IF NOT EXISTS dead_letters_group ON dead_letters (state, error_group, died_at, id);
CREATE INDEX IF NOT EXISTS dead_letters_closed ON dead_letters (closed_at) WHERE closed_at IS NOT NULL;

-- Stays when its letter is gone.
CREATE TABLE IF NOT EXISTS dead_letter_audit (
  seq        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Or the id of a run, for what was done with the run itself.
  letter_id  uuid        NOT NULL,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  action     text        NOT NULL,
  by_whom    text        NOT NULL,
  why        text        NOT NULL,
  redrive_id uuid
);

CREATE INDEX IF NOT EXISTS dead_letter_audit_letter ON dead_letter_audit (letter_id, seq);

CREATE TABLE IF NOT EXISTS dead_letter_redrives (
  id           uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
  state        text        NOT NULL DEFAULT 'RUNNING' CHECK (state IN ('RUNNING', 'PAUSED', 'CANCELLED', 'DONE')),
  filter       jsonb       NOT NULL,
  most         int,
  per_second   double precision,
  patch        text,
  by_whom      text        NOT NULL,
  why          text        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  redriven     int         NOT NULL DEFAULT 0,
  skipped      int         NOT NULL DEFAULT 0,
  -- Behind this letter goes the next batch.
  after_died   timestamptz,
  after_id     uuid,
  -- The rate holds from here on; begins anew after a pause or a stall, so nothing is made up for by a burst.
  paced_from   timestamptz NOT NULL DEFAULT clock_timestamp(),
  paced        int         NOT NULL DEFAULT 0
);

CREATE INDEX IF NOT EXISTS dead_letter_redrives_running ON dead_letter_redrives (created_at) WHERE state = 'RUNNING';
