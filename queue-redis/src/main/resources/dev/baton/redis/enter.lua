-- New jobs enter the queue, in order, for the scripts that take some. They call `enter` for each, and `entered` at the end.

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

local plain, delayed, wake, earliest = {}, {}, false, nil

-- The plain ones enter together, but before whoever comes after them.
local function enter_plain()
  if #plain > 0 then
    redis.call('LPUSH', READY, unpack(plain))
    plain, wake = {}, true
  end
end

-- Answers 'accepted' or 'duplicate'; `at` is when the job may start.
local function enter(id, at, priority, key, unique, body)
  local head = string.format('0 0 %d 0 %d\t', now, priority) .. key .. '\t' .. unique .. '\n\n'
  if not accept(id, unique, head .. body) then
    return 'duplicate'
  end
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
  return 'accepted'
end

local function entered()
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
end

-- The jobs from ARGV[first] on, six words each (id, due, priority, ordering key, unique id, body), except those whose ids
-- are `known`. Answers per job.
local function enter_all(first, known)
  local answer = {}
  for i = first, #ARGV, 6 do
    local id, due = ARGV[i], ARGV[i + 1]
    local at = tonumber(string.sub(due, 2))
    if string.sub(due, 1, 1) == '+' then
      at = now + at
    end
    answer[#answer + 1] = known[id] and 'duplicate'
      or enter(id, at, tonumber(ARGV[i + 2]), ARGV[i + 3], ARGV[i + 4], ARGV[i + 5])
  end
  entered()
  return answer
end
