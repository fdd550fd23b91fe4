-- Puts new jobs into the queue, in order, all or none; a job whose id or unique id is alive already changes nothing.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 completed, 6 wake, 7 totals
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue
--         then per job: id, '+' and a delay in ms or '@' and a time in ms, priority, ordering key, unique id, body
-- answer  per job: 'accepted' or 'duplicate'
-- keeps   4 (one state): the job key decides, and the id enters exactly one of ready, urgent, delayed and blocked; 8 (order)
-- repeat  a second run finds the job keys and answers 'duplicate'

local READY, URGENT, DELAYED, BLOCKED, COMPLETED = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local WAKE, TOTALS = KEYS[6], KEYS[7]

-- @include clock
-- @include job

-- False if it is a duplicate. A finished job that is only kept, or one that was removed, gives way.
local function accept(id, unique, record)
  if unique ~= '' and redis.call('EXISTS', unique_key(unique)) == 1 then
    return false
  end
  if not redis.call('SET', job_key(id), record, 'NX') then
    if redis.call('GETRANGE', job_key(id), 0, 7) == REMOVED then
      redis.call('LREM', READY, -1, id)
      redis.call('HINCRBY', TOTALS, 'ghosts', -1)
    elseif redis.call('ZREM', COMPLETED, id) == 0 then
      return false
    end
    redis.call('SET', job_key(id), record)
  end
  if unique ~= '' then
    redis.call('SET', unique_key(unique), id)
  end
  return true
end

local answer, plain, delayed, wake, earliest = {}, {}, {}, false, nil

-- The plain ones enter together, but before whoever comes after them.
local function enter_plain()
  if #plain > 0 then
    redis.call('LPUSH', READY, unpack(plain))
    plain, wake = {}, true
  end
end

for i = 3, #ARGV, 6 do
  local id, due, priority, key, unique = ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2]), ARGV[i + 3], ARGV[i + 4]
  local at = tonumber(string.sub(due, 2))
  if string.sub(due, 1, 1) == '+' then
    at = now + at
  end
  local head = string.format('0 0 %d 0 %d\t', now, priority) .. key .. '\t' .. unique .. '\n\n'
  if not accept(id, unique, head .. ARGV[i + 5]) then
    answer[#answer + 1] = 'duplicate'
  else
    answer[#answer + 1] = 'accepted'
    if at > now then
      delayed[#delayed + 1] = at
      delayed[#delayed + 1] = id
      earliest = math.min(earliest or at, at)
    elseif key == '' and priority == 0 then
      plain[#plain + 1] = id
    else
      enter_plain()
      wake = join(id, priority, key) or wake
    end
  end
end

enter_plain()
if earliest then
  -- Somebody sleeps until the job that was due first so far; an earlier one must end that sleep.
  local first = tonumber(redis.call('ZRANGE', DELAYED, 0, 0, 'WITHSCORES')[2])
  wake = wake or not first or earliest < first
  redis.call('ZADD', DELAYED, unpack(delayed))
end
if wake and redis.call('EXISTS', WAKE) == 0 then
  redis.call('LPUSH', WAKE, '1')
end
return answer
