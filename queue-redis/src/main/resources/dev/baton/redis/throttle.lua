-- Holds the queue: nothing starts before that, as after a settlement that throttles.
--
-- KEYS    1 config
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue   3 for how many ms
-- answer  'done'
-- keeps   13 (the server's clock)
-- repeat  holds for as long from its own moment; no hold is shortened

local CONFIG = KEYS[1]

-- @include clock
-- @include config

local config = read_config()

-- @include hold

hold_until(now + tonumber(ARGV[3]))
return 'done'
