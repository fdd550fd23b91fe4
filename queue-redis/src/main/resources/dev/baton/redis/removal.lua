-- Removal of jobs.

-- The job and all that belongs to it vanish, but for its id in the ready list. Its ordering key is passed on.
local function leave(id, state, record)
  local _, key, unique = placing(record)
  if SORTED[state] then
    redis.call('ZREM', SORTED[state], id)
  end
  redis.call('UNLINK', job_key(id))
  -- A job that is dead or completed has given back both, and somebody else may have them now.
  if state ~= 'DEAD' and state ~= 'COMPLETED' then
    pass_on(id, key or '')
    free_unique(unique or '')
  end
end

local function remove(id, state, record)
  leave(id, state, record)
  if state == 'READY' and redis.call('ZREM', URGENT, id) == 0 then
    -- Finding it in a long list would take too long: what is left of it is passed over when its turn comes.
    redis.call('SET', job_key(id), REMOVED)
    redis.call('HINCRBY', TOTALS, 'ghosts', 1)
  end
end
