-- Looks at one schedule. Changes nothing.
--
-- KEYS    1 schedules
-- ARGV    1 unused   2 tag of the queue   3 id
-- answer  id, next run in ms, the stored hash as name, value, ..; empty if there is no such schedule

-- @include stored

local due = redis.call('ZSCORE', KEYS[1], ARGV[3])
return due and stored(ARGV[3], due) or {}
