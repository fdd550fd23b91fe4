-- Built while the table is in use; not in a transaction.

CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_late ON outbox_events (xact_id) WHERE published_at IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_batch ON outbox_events (batch) WHERE published_at IS NOT NULL;
