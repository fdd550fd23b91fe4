-- The ticket office's own tables. Database.open runs it under a lock, any number of times.

CREATE TABLE IF NOT EXISTS orders (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id text        NOT NULL,
  status      text        NOT NULL CHECK (status IN ('pending', 'paid', 'cancelled')),
  expires_at  timestamptz NOT NULL,
  -- When it was paid or cancelled, and why it was cancelled: by its customer, or because its hold expired.
  closed_at   timestamptz,
  expired     boolean     NOT NULL DEFAULT false,
  CHECK ((status = 'pending') = (closed_at IS NULL))
);

CREATE TABLE IF NOT EXISTS seats (
  id       text   PRIMARY KEY,
  status   text   NOT NULL DEFAULT 'available' CHECK (status IN ('available', 'locked', 'sold')),
  order_id bigint,
  CHECK ((status = 'available') = (order_id IS NULL))
);

CREATE INDEX IF NOT EXISTS seats_of_order ON seats (order_id) WHERE order_id IS NOT NULL;
