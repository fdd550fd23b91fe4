-- The memory of the guard. Usable by Flyway as it is; GuardSchema.migrate runs it under a lock.

CREATE TABLE IF NOT EXISTS processed_messages (
  -- Compared byte by byte: that is quicker in the index, and nobody sorts them for people.
  consumer     text        COLLATE "C" NOT NULL,
  -- text, not uuid: messages of foreign systems have ids of their own making.
  message_id   text        COLLATE "C" NOT NULL,
  processed_at timestamptz NOT NULL DEFAULT now(),
  -- The id first: it nearly always decides a comparison. No other index, as each costs every mark a tenth of an effect.
  PRIMARY KEY (message_id, consumer)
);

-- Marks many; answers null if all are new, or else the new ones. Nearly always all are, and a plain INSERT costs less than
-- one that can bear a conflict. A function, because an error that it catches is neither a round trip nor a line in the log.
CREATE OR REPLACE FUNCTION processed_messages_mark(by_consumer text, message_ids text[]) RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
  fresh text[];
BEGIN
  INSERT INTO processed_messages (consumer, message_id) SELECT by_consumer, unnest(message_ids);
  RETURN NULL;
EXCEPTION WHEN unique_violation THEN
  WITH marked AS (
    INSERT INTO processed_messages (consumer, message_id) SELECT by_consumer, unnest(message_ids)
    ON CONFLICT DO NOTHING RETURNING message_id)
  SELECT coalesce(array_agg(message_id), '{}') INTO fresh FROM marked;
  RETURN fresh;
END $$;
