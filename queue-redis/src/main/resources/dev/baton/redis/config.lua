-- What the queue is set to: the same for all workers, because it is kept in Redis. Until when it is held, and how many jobs
-- started since, lies beside it, so that one command reads all that decides whether a job may start.

local function read_config()
  local values = redis.call('HMGET', CONFIG, 'paused', 'concurrency', 'limit', 'per', 'order', 'keep', 'keepMs',
    'hold', 'restarted')
  return {
    paused = values[1] == '1',
    concurrency = tonumber(values[2]),
    limit = tonumber(values[3]), per = tonumber(values[4]),
    order = values[5],
    keeps = values[6] or values[7], keep = tonumber(values[6]), keep_ms = tonumber(values[7]),
    hold = tonumber(values[8] or 0), restarted = tonumber(values[9] or 0)
  }
end
