-- Ready jobs get a lease and leave with it.

-- While both wait, urgent jobs get three of four places, and the plain ones the fourth: of all places, whatever the number of
-- those that are free at once.
local function pop(n)
  local urgent = redis.call('ZCARD', URGENT)
  if urgent == 0 then
    return redis.call('RPOP', READY, n) or {}
  end
  local places = redis.call('HINCRBY', TOTALS, 'places', n)
  local share = math.floor(places / 4) - math.floor((places - n) / 4)
  local ids = share > 0 and redis.call('RPOP', READY, share) or {}
  local popped = redis.call('ZPOPMIN', URGENT, n - #ids)
  for i = 1, #popped, 2 do
    ids[#ids + 1] = popped[i]
  end
  local more = #ids < n and redis.call('RPOP', READY, n - #ids) or {}
  for _, id in ipairs(more or {}) do
    ids[#ids + 1] = id
  end
  return ids
end

-- The ids whose jobs still exist, and their records.
local function with_records(ids)
  local keys, whole = {}, true
  for i, id in ipairs(ids) do
    keys[i] = job_key(id)
  end
  local records = #ids > 0 and redis.call('MGET', unpack(keys)) or {}
  for i = 1, #ids do
    whole = whole and records[i] and records[i] ~= REMOVED
  end
  if whole then
    return ids, records
  end
  local alive, some = {}, {}
  for i, id in ipairs(ids) do
    if records[i] == REMOVED then
      redis.call('UNLINK', job_key(id))
      redis.call('HINCRBY', TOTALS, 'ghosts', -1)
    elseif records[i] then
      alive[#alive + 1] = id
      some[#some + 1] = records[i]
    end
  end
  return alive, some
end

-- Answers the ids, the records, and whether there may be more.
local function take(n)
  if n <= 0 then
    return {}, {}, true
  end
  local popped = pop(n)
  local ids, records = with_records(popped)
  local leases, deadline, suffix = {}, string.format('%d', now + lease), '#' .. token
  for i, id in ipairs(ids) do
    leases[2 * i - 1] = deadline
    leases[2 * i] = id .. suffix
  end
  if #ids > 0 then
    redis.call('ZADD', LEASED, unpack(leases))
  end
  passed(#ids)
  return ids, records, #popped == n
end

-- The ids and records of an earlier take of which the answer was lost, as far as they are still leased under its token.
local function taken_before(ids)
  local members, still = {}, {}
  for i, id in ipairs(ids) do
    members[i] = id .. '#' .. token
  end
  local scores = #ids > 0 and redis.call('ZMSCORE', LEASED, unpack(members)) or {}
  for i, id in ipairs(ids) do
    if scores[i] then
      still[#still + 1] = id
    end
  end
  return with_records(still)
end
