-- The invoice service's own tables. Database.open runs it under a lock, any number of times.

-- What was agreed with each provider: how often an issuance is tried again, and how long apart.
CREATE TABLE IF NOT EXISTS providers (
  code                text  PRIMARY KEY,
  max_retry_count     int   NOT NULL DEFAULT 3,
  retry_delay_minutes int[] NOT NULL DEFAULT '{5, 15, 60}'
);

INSERT INTO providers (code) VALUES ('vnis') ON CONFLICT DO NOTHING;
INSERT INTO providers (code, retry_delay_minutes) VALUES ('vnpay', '{10, 15, 30}') ON CONFLICT DO NOTHING;

CREATE TABLE IF NOT EXISTS invoices (
  order_id     uuid        PRIMARY KEY,
  provider     text        NOT NULL REFERENCES providers (code),
  mode         text        NOT NULL CHECK (mode IN ('real_time', 'scheduled')),
  amount       bigint      NOT NULL CHECK (amount > 0),
  -- The buyer's; null for a retail invoice.
  tax_code     text,
  status       text        NOT NULL CHECK (status IN ('claimable', 'pending', 'issued', 'failed', 'cancelled')),
  claim_until  timestamptz,
  number       text,
  retry_count  int         NOT NULL DEFAULT 0,
  requested_at timestamptz NOT NULL DEFAULT now(),
  issued_at    timestamptz,
  CHECK (status <> 'issued' OR number IS NOT NULL),
  CHECK (status <> 'claimable' OR claim_until IS NOT NULL)
);

CREATE INDEX IF NOT EXISTS invoices_to_pick_up ON invoices (requested_at) WHERE status = 'pending' AND mode = 'scheduled';

CREATE TABLE IF NOT EXISTS invoice_audit (
  id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id uuid        NOT NULL,
  what     text        NOT NULL,
  why      text        NOT NULL,
  at       timestamptz NOT NULL DEFAULT now()
);
