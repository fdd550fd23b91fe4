-- The dead jobs that wait for the dead-letter store, those that died first in front. Changes nothing.
--
-- KEYS    1 dead
-- ARGV    1 unused   2 prefix of the job keys, in the same slot   3 at most so many
-- answer  per job: id, time of death in ms, record

-- @include job

local answer = {}
local dead = redis.call('ZRANGE', KEYS[1], 0, ARGV[3] - 1, 'WITHSCORES')
for i = 1, #dead, 2 do
  local record = redis.call('GET', job_key(dead[i]))
  answer[#answer + 1] = dead[i]
  answer[#answer + 1] = dead[i + 1]
  answer[#answer + 1] = record or ''
end
return answer
