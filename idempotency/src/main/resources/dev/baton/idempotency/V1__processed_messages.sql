-- The memory of the guard. Usable by Flyway as it is; GuardSchema.migrate runs it under a lock.

CREATE TABLE IF NOT EXISTS processed_messages (
  -- Compared byte by byte: that is quicker in the index, and nobody sorts them for people.
  consumer     text        COLLATE "C" NOT NULL,
  -- text, not uuid: messages of foreign systems have ids of their own making.
  message_id   text        COLLATE "C" NOT NULL,
  processed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, message_id)
);

-- For forgetting the oldest. BRIN: rows lie in the order of their time, and a B-tree would cost each mark a tenth more.
CREATE INDEX IF NOT EXISTS processed_messages_age ON processed_messages USING brin (processed_at);
