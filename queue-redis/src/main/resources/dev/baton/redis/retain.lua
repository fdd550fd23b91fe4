-- Finished jobs that are kept on request leave when there are too many or when they are too old.

local function forget_completed(ids)
  if #ids == 0 then
    return
  end
  local keys = {}
  for i, id in ipairs(ids) do
    keys[i] = job_key(id)
  end
  redis.call('ZREM', COMPLETED, unpack(ids))
  redis.call('UNLINK', unpack(keys))
end

local function retain()
  if config.keep_ms then
    forget_completed(redis.call('ZRANGEBYSCORE', COMPLETED, '-inf', now - config.keep_ms, 'LIMIT', 0, LIMIT))
  end
  local over = config.keep and redis.call('ZCARD', COMPLETED) - config.keep or 0
  if over > 0 then
    forget_completed(redis.call('ZRANGE', COMPLETED, 0, math.min(over, LIMIT) - 1))
  end
end
