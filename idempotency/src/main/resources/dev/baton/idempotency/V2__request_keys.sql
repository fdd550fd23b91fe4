-- The memory of the guards of requests: one row per key, RUNNING and then DONE or FAILED for good.

-- Never starts anew, so that the fence of a key rises also after the key was forgotten.
CREATE SEQUENCE IF NOT EXISTS request_fence;

CREATE TABLE IF NOT EXISTS request_keys (
  consumer    text        COLLATE "C" NOT NULL,
  key         text        COLLATE "C" NOT NULL,
  -- SHA-256 of what was asked for, in hexadecimal.
  fingerprint text        NOT NULL,
  state       text        NOT NULL DEFAULT 'RUNNING' CHECK (state IN ('RUNNING', 'DONE', 'FAILED')),
  -- Who runs it, and the number of the run: both are named by every change.
  owner       text        NOT NULL,
  fence       bigint      NOT NULL,
  lease_end   timestamptz NOT NULL,
  -- The answer, or the failure.
  result      text,
  started_at  timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  PRIMARY KEY (consumer, key)
);

-- For forgetting the oldest.
CREATE INDEX IF NOT EXISTS request_keys_age
  ON request_keys ((coalesce(finished_at, greatest(lease_end, started_at))));
