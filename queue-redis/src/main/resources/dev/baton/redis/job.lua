-- The places a job can wait in, for the scripts that include this file; before it comes record.lua.

local REMOVED = 'removed'   -- stands for the record of a job that was removed while its id still waits in the ready list
local MINUTE = 60000

-- Enough of the record for its first line: a key and a unique id have at most 200 characters each, of up to 4 bytes.
local function beginning(id)
  return redis.call('GETRANGE', job_key(id), 0, 2047)
end

-- Priority, ordering key and unique id, from the beginning of a record; nothing if there is no record.
local function placing(record)
  local priority, key, unique = string.match(record, '^%d+ %d+ %d+ %d+ (%d+)\t([^\t\n]*)\t([^\n]*)\n')
  return tonumber(priority), key, unique
end

-- A job of priority p is taken as if it had been enqueued p minutes earlier, so none of them waits for ever.
local function to_back(id, priority)
  if priority > 0 then
    redis.call('ZADD', URGENT, now - priority * MINUTE, id)
  else
    redis.call('LPUSH', READY, id)
  end
end

local function to_front(id)
  redis.call('RPUSH', READY, id)
end

-- Ready, or behind those with the same ordering key. The head of a key's list is the one job that may run.
local function join(id, priority, key)
  if key == '' or redis.call('RPUSH', key_list(key), id) == 1 then
    to_back(id, priority)
    return true
  end
  redis.call('ZADD', BLOCKED, now, id)
  return false
end

-- The job leaves its key's list; if it was the head, the next one becomes ready, behind what is ready already: so no key
-- holds up the others.
local function pass_on(id, key)
  if key == '' then
    return
  end
  local list = key_list(key)
  local front = redis.call('LRANGE', list, 0, 1)
  if front[1] ~= id then
    redis.call('LREM', list, 1, id)
    return
  end
  redis.call('LPOP', list)
  local next_id = front[2]
  while next_id do
    redis.call('ZREM', BLOCKED, next_id)
    local priority = placing(beginning(next_id))
    if priority then
      to_back(next_id, priority)
      return
    end
    redis.call('LPOP', list)
    next_id = redis.call('LINDEX', list, 0)
  end
end

local function free_unique(unique)
  if unique ~= '' then
    redis.call('UNLINK', unique_key(unique))
  end
end

-- Counts an ended start (and attempt), and keeps the failure if there is one. False if the job was removed. A record that
-- cannot be read stays as it is: whoever takes the job finds out.
local function count(id, starts, attempts, failure)
  local record = redis.call('GET', job_key(id))
  if not record then
    return false
  end
  local head_end = string.find(record, '\n', 1, true)
  local failure_end = head_end and string.find(record, '\n', head_end + 1, true)
  local s, a, enqueued, first, rest = string.match(record, '^(%d+) (%d+) (%d+) (%d+) ([^\n]*)\n')
  if not failure_end or not s then
    return record ~= REMOVED
  end
  if attempts > 0 and first == '0' then
    first = string.format('%d', now)
  end
  if failure == '' then
    failure = string.sub(record, head_end + 1, failure_end - 1)
  end
  local head = string.format('%d %d %s %s ', s + starts, a + attempts, enqueued, first) .. rest .. '\n'
  redis.call('SET', job_key(id), head .. failure .. string.sub(record, failure_end))
  return true
end
