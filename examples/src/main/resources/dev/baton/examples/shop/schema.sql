-- The shop's own tables. ShopSchema.migrate runs it under a lock, any number of times.

CREATE TABLE IF NOT EXISTS orders (
  id          uuid        PRIMARY KEY,
  customer_id text        NOT NULL,
  amount      bigint      NOT NULL CHECK (amount > 0),
  status      text        NOT NULL CHECK (status IN ('placed', 'cancelled')),
  placed_at   timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS payments (
  order_id         uuid   PRIMARY KEY REFERENCES orders (id),
  authorization_id text   NOT NULL,
  customer_id      text   NOT NULL,
  amount           bigint NOT NULL,
  status           text   NOT NULL CHECK (status IN ('authorized', 'captured', 'voiding', 'voided')),
  capture_id       text,
  captured_at      timestamptz,
  CHECK ((status = 'captured') = (capture_id IS NOT NULL))
);

CREATE TABLE IF NOT EXISTS shipments (
  -- At most one record per order, also if two runs book at the same time.
  order_id        uuid        NOT NULL UNIQUE REFERENCES orders (id),
  tracking_number text        NOT NULL,
  booked_at       timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS loyalty_accounts (
  customer_id text   PRIMARY KEY,
  points      bigint NOT NULL DEFAULT 0
);
