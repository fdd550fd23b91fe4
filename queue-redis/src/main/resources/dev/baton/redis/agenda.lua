-- A page of the schedules, the one that runs next in front. Changes nothing.
--
-- KEYS    1 schedules
-- ARGV    1 unused   2 tag of the queue   3 offset   4 at most so many
-- answer  per schedule: id, next run in ms, the stored hash as name, value, ..

-- @include stored

local first = tonumber(ARGV[3])
local page = redis.call('ZRANGE', KEYS[1], first, first + ARGV[4] - 1, 'WITHSCORES')
local answer = {}
for i = 1, #page, 2 do
  answer[#answer + 1] = stored(page[i], page[i + 1])
end
return answer
