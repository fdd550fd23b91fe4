-- Built while the table is in use; not in a transaction.

-- The relay reads unpublished rows only, so these two stay small however large the table is. Each has a condition that only
-- the queries fulfil for which it is there. Without that PostgreSQL may read the whole of the other one: by statistics that
-- say "nothing is unpublished" that looks cheaper than to look something up, and then it is a million rows each time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_unpublished ON outbox_events (seq)
  WHERE published_at IS NULL AND seq > 0;
CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_late ON outbox_events (xact_id)
  WHERE published_at IS NULL AND xact_id IS NOT NULL;

CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_batch ON outbox_events (batch) WHERE published_at IS NOT NULL;
