-- Puts new jobs into the queue, in order, all or none; a job whose id is alive already changes nothing.
--
-- KEYS    1 ready, 2 delayed, 3 wake, then one job key per job
-- ARGV    1 now in ms, or '' for the server's clock; then per job: id, delay in ms, body
-- answer  per job: 'accepted' or 'duplicate'
-- keeps   4 (one state): the job key decides, and the id enters exactly one of ready and delayed
-- repeat  a second run finds the job keys and answers 'duplicate'

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local head = string.format('0 0 %d 0\n\n', now)
local answer, ready, delayed, earliest = {}, {}, {}, nil
for i = 1, #KEYS - 3 do
  local id, delay, body = ARGV[3 * i - 1], tonumber(ARGV[3 * i]), ARGV[3 * i + 1]
  if redis.call('SET', KEYS[3 + i], head .. body, 'NX') then
    answer[i] = 'accepted'
    if delay > 0 then
      delayed[#delayed + 1] = now + delay
      delayed[#delayed + 1] = id
      earliest = math.min(earliest or now + delay, now + delay)
    else
      ready[#ready + 1] = id
    end
  else
    answer[i] = 'duplicate'
  end
end

local wake = #ready > 0
if #ready > 0 then
  redis.call('LPUSH', KEYS[1], unpack(ready))
end
if earliest then
  -- Somebody sleeps until the job that was due first so far; an earlier one must end that sleep.
  local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
  wake = wake or not first or earliest < tonumber(first)
  redis.call('ZADD', KEYS[2], unpack(delayed))
end
if wake and redis.call('EXISTS', KEYS[3]) == 0 then
  redis.call('LPUSH', KEYS[3], '1')
end
return answer
