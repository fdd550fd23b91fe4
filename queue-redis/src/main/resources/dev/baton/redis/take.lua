-- Ready jobs get a lease and leave with it, unless the queue is held.

-- The ids whose jobs still exist, and the answer to the worker: id, record, ..
local function with_records(ids)
  local alive, answer, keys = {}, {}, {}
  for i, id in ipairs(ids) do
    keys[i] = job_key(id)
  end
  local records = #ids > 0 and redis.call('MGET', unpack(keys)) or {}
  for i, id in ipairs(ids) do
    -- A removed job leaves its id behind in the list; it is passed over here.
    if records[i] then
      alive[#alive + 1] = id
      answer[#answer + 1] = id
      answer[#answer + 1] = records[i]
    end
  end
  return alive, answer
end

local function take(n)
  if n == 0 or tonumber(redis.call('GET', HOLD) or 0) > now then
    return {}, {}
  end
  local ids, answer = with_records(redis.call('RPOP', READY, n) or {})
  local leases = {}
  for i, id in ipairs(ids) do
    leases[2 * i - 1] = now + lease
    leases[2 * i] = id .. '#' .. token
  end
  if #ids > 0 then
    redis.call('ZADD', LEASED, unpack(leases))
  end
  return ids, answer
end
