-- New jobs enter the queue, in order, for the scripts that take some: they call `enter` for each and `entered` at the end.
--
-- The place of a job is one word: empty if it may start at once and has no priority, key or unique id, as most; or else
-- '+' and a delay in ms or '@' and a time in ms, a space, and then priority, ordering key and unique id as in its record.

local count, ids, places, accepted = 0, {}, {}, {}

-- Jobs without unique id, until all of them are stored in one command: their numbers, and key, record, ..
local pending, plain, records = {}, {}, {}

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

-- Answers the number of the job, under which `accepted` tells what became of it.
local function enter(id, place, body)
  count = count + 1
  ids[count], places[count] = id, place
  if pending[id] then
    return count   -- the one before it is alive, or a duplicate of one that is
  end
  local record, unique
  if place == '' then
    record, unique = PLAIN_HEAD .. body, ''
  else
    local header
    header, unique = string.match(place, '^%S+ ([^\t]*\t[^\t]*\t(.*))$')
    record = HEAD .. header .. '\n\n' .. body
  end
  if unique == '' then
    local n = #plain + 1
    pending[id], plain[n] = true, count
    records[2 * n - 1], records[2 * n] = job_key(id), record
  else
    accepted[count] = accept(id, unique, record)
  end
  return count
end

local function store_pending()
  if #plain == 0 then
    return
  end
  local all_new = redis.call('MSETNX', unpack(records)) == 1
  for n, number in ipairs(plain) do
    accepted[number] = all_new or accept(ids[number], '', records[2 * n])
  end
end

-- The accepted jobs go to their places, in order.
local function entered()
  store_pending()
  local ready, delayed, wake, earliest = {}, {}, false, nil
  -- The plain ones enter together, but before whoever comes after them.
  local function enter_ready()
    if #ready > 0 then
      redis.call('LPUSH', READY, unpack(ready))
      ready, wake = {}, true
    end
  end
  for number = 1, count do
    local id, place = ids[number], places[number]
    if accepted[number] and place == '' then
      ready[#ready + 1] = id
    elseif accepted[number] then
      local sign, at, priority, key = string.match(place, '^([+@])(%d+) (%d+)\t([^\t]*)\t')
      at = sign == '+' and now + at or tonumber(at)
      if at > now then
        delayed[#delayed + 1] = at
        delayed[#delayed + 1] = id
        earliest = math.min(earliest or at, at)
      else
        enter_ready()
        wake = join(id, tonumber(priority), key) or wake
      end
    end
  end
  enter_ready()
  if earliest then
    -- Somebody sleeps until the job that was due first so far; an earlier one must end that sleep.
    local first = tonumber(redis.call('ZRANGE', DELAYED, 0, 0, 'WITHSCORES')[2])
    wake = wake or not first or earliest < first
    redis.call('ZADD', DELAYED, unpack(delayed))
  end
  if wake then
    wake_one()
  end
end
