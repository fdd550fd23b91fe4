-- Removes a schedule; the jobs that it has enqueued stay.
--
-- KEYS    1 schedules
-- ARGV    1 unused   2 tag of the queue   3 id
-- answer  'done', or 'absent'
-- repeat  a second run finds none

-- @include stored

redis.call('UNLINK', schedule_key(ARGV[3]))
return redis.call('ZREM', KEYS[1], ARGV[3]) == 1 and 'done' or 'absent'
