-- How many jobs may start now, whatever is ready: the pause, the hold, the restart after it, the global concurrency, and
-- the limiter. Each can only lower the number.

local RESTART_MS = 1000

-- The scripts compare times themselves; that keys expire is only to leave nothing behind, so it may come late.
local SLACK_MS = 60000

-- After a hold the queue starts again one job at a time, 25 ms apart, for a second: those who were held together do not
-- all knock at the door together.
local RESTART_STEP_MS = 25

local function restarting()
  return config.hold + RESTART_MS > now
end

local function held(n)
  if config.hold > now then
    return 0, config.hold
  elseif not restarting() then
    return n
  end
  local steps = math.floor((now - config.hold) / RESTART_STEP_MS)
  local open = steps + 1 - config.restarted
  return math.min(n, math.max(0, open)), config.hold + (steps + 1) * RESTART_STEP_MS
end

-- Strict: of the last `limit` starts the oldest must be longer ago than the duration. Times are whole ms, so "longer" and
-- not "as long": two starts that look `per` apart may be almost 1 ms less.
local function limited(n)
  local open = math.min(n, config.limit)
  local recent = redis.call('LRANGE', STARTS, config.limit - open, config.limit - 1)
  -- The oldest end of the last `limit` starts, the oldest last: that one is in the way of the next start, the one before
  -- it in the way of the start after that.
  local blocked = 0
  for i = 1, #recent do
    if tonumber(recent[i]) + config.per >= now then
      blocked = i
    end
  end
  if blocked == 0 then
    return open
  end
  return open - blocked, tonumber(recent[blocked]) + config.per + 1
end

-- Answers how many may start, and when that may change, if time alone can change it.
local function gate(n)
  if config.paused then
    return 0
  end
  local open, reopens = held(n)
  if open > 0 and config.concurrency then
    open = math.min(open, math.max(0, config.concurrency - redis.call('ZCARD', LEASED)))
  end
  if open > 0 and config.limit then
    open, reopens = limited(open)
  end
  return open, reopens
end

-- Remembers the starts that the gate will count.
local function passed(n)
  if n == 0 then
    return
  end
  if config.limit then
    local times = {}
    for i = 1, n do
      times[i] = string.format('%d', now)
    end
    redis.call('LPUSH', STARTS, unpack(times))
    redis.call('LTRIM', STARTS, 0, config.limit - 1)
    redis.call('PEXPIRE', STARTS, config.per + SLACK_MS)
  end
  if restarting() then
    redis.call('HINCRBY', CONFIG, 'restarted', n)
  end
end
