-- The schedules that are due, the one that was due first in front. Changes nothing.
--
-- KEYS    1 schedules
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue   3 offset   4 at most so many
-- answer  now, ms until the next one is due that is not due yet or -1, then per schedule: id, due in ms, the stored hash as
--         name, value, ..
-- keeps   13 (the server's clock)

-- @include clock
-- @include stored

local later = redis.call('ZRANGEBYSCORE', KEYS[1], string.format('(%d', now), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
local answer = {now, later[2] and later[2] - now or -1}
local page = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'WITHSCORES', 'LIMIT', ARGV[3], ARGV[4])
for i = 1, #page, 2 do
  answer[#answer + 1] = stored(page[i], page[i + 1])
end
return answer
