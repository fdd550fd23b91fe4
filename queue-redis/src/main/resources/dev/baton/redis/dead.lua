-- The dead jobs that wait for the dead-letter store, those that died first in front. Changes nothing.
--
-- KEYS    1 dead
-- ARGV    1 unused   2 tag of the queue   3 at most so many   4 after so many in front
-- answer  per job: id, time of death in ms, record or '' if it is not there

local answer = {}
local dead = redis.call('ZRANGE', KEYS[1], ARGV[4], ARGV[4] + ARGV[3] - 1, 'WITHSCORES')
for i = 1, #dead, 2 do
  answer[#answer + 1] = dead[i]
  answer[#answer + 1] = dead[i + 1]
  answer[#answer + 1] = redis.call('GET', ARGV[2] .. ':job:' .. dead[i]) or ''
end
return answer
