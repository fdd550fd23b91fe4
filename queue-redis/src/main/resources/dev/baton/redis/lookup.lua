-- Where a job is.

-- The member of the job's lease, or nothing. Looks at all leases, of which there are as many as workers have slots.
local function lease_of(id)
  local start = id .. '#'
  for _, member in ipairs(redis.call('ZRANGE', LEASED, 0, -1)) do
    if string.sub(member, 1, #start) == start and not string.find(member, '#', #start + 1, true) then
      return member
    end
  end
end

-- Where the job is and since when or until when, or nothing if there is no such job.
local function place_of(id)
  local record = redis.call('GET', job_key(id))
  if not record or record == REMOVED then
    return nil
  end
  for state, key in pairs(SORTED) do
    local score = redis.call('ZSCORE', key, id)
    if score then
      return state, tonumber(score), record
    end
  end
  local member = lease_of(id)
  if member then
    return 'LEASED', tonumber(redis.call('ZSCORE', LEASED, member)), record
  end
  return 'READY', 0, record
end
