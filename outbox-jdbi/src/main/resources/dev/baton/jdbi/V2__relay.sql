-- What the relay needs to hand over exactly once, in shards, and to heal. No statement rewrites or scans a table: each takes
-- its lock for milliseconds, however many rows there are.

ALTER TABLE outbox_events
  -- The aggregate id's String.hashCode() in Java, which decides on the shard. Rows that were not written by the library's
  -- writer have 0: all of them are in shard 0.
  ADD COLUMN IF NOT EXISTS hash int NOT NULL DEFAULT 0,
  -- The transaction that wrote the row; NULL for rows from before this column. By it the relay finds what commits late.
  ADD COLUMN IF NOT EXISTS xact_id xid8,
  -- The batch in which it was handed over: 0 for what was published before there were batches, and for dead letters.
  ADD COLUMN IF NOT EXISTS batch bigint DEFAULT 0,
  -- Its jobs start at this time at the earliest; NULL for at once.
  ADD COLUMN IF NOT EXISTS not_before timestamptz;

ALTER TABLE outbox_events
  ALTER COLUMN xact_id SET DEFAULT pg_current_xact_id(),
  ALTER COLUMN batch DROP DEFAULT,
  SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Batch numbers: never reused, rising.
CREATE SEQUENCE IF NOT EXISTS outbox_batches;

-- Events that were refused, and those that wait behind them. They are unpublished as well.
CREATE TABLE IF NOT EXISTS outbox_parked (
  seq              bigint      PRIMARY KEY,
  id               uuid        NOT NULL,
  hash             int         NOT NULL,
  aggregate_id     text        NOT NULL,
  -- Later events of the aggregate wait for this one.
  blocks           boolean     NOT NULL,
  attempts         int         NOT NULL DEFAULT 0,
  -- When it is tried next; NULL: it waits for an earlier event of its aggregate, or for its burial.
  due_at           timestamptz,
  -- Its budget is spent; it becomes a dead letter.
  dead             boolean     NOT NULL DEFAULT false,
  -- It is a dead letter; the next turn removes it from here and from the events.
  buried           boolean     NOT NULL DEFAULT false,
  reason           text,
  -- Sinks without a memory that hold it already.
  accepted         text[]      NOT NULL DEFAULT '{}',
  first_failure_at timestamptz,
  last_failure_at  timestamptz
);
CREATE INDEX IF NOT EXISTS outbox_parked_due ON outbox_parked (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_parked_aggregate ON outbox_parked (aggregate_id, seq);
CREATE INDEX IF NOT EXISTS outbox_parked_dead ON outbox_parked (seq) WHERE dead;

-- Since which batch a sink gets a topic: a route added later does not receive the past, not even when it heals.
CREATE TABLE IF NOT EXISTS outbox_routes (
  topic text   NOT NULL,
  sink  text   NOT NULL,
  since bigint NOT NULL,
  PRIMARY KEY (topic, sink)
);

CREATE TABLE IF NOT EXISTS outbox_settings (
  name  text PRIMARY KEY,
  value text NOT NULL
);
-- Names this outbox in the memories of the queues, which outlive a restore of the database.
INSERT INTO outbox_settings VALUES ('id', gen_random_uuid()::text) ON CONFLICT DO NOTHING;
