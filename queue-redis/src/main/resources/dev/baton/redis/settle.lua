-- Ends leases. Each line of `settle` is one way to end one; the caller has checked that the lease is still held.

local function free(member)
  redis.call('ZREM', LEASED, member)
end

local function wait_until(id, due)
  redis.call('ZADD', DELAYED, due, id)
end

local function to_front(id)
  redis.call('RPUSH', READY, id)
end

local settle = {}

function settle.retry(id, member, delay, failure)
  free(member)
  if count(id, now, 1, 1, failure) then
    wait_until(id, now + delay)
  end
end

function settle.postpone(id, member, delay)
  free(member)
  if count(id, now, 1, 0, '') then
    wait_until(id, now + delay)
  end
end

function settle.throttle(id, member, delay)
  free(member)
  if count(id, now, 1, 0, '') then
    to_front(id)
  end
  local until_then = math.max(now + delay, tonumber(redis.call('GET', HOLD) or 0))
  if until_then > now then
    redis.call('SET', HOLD, string.format('%d', until_then), 'PX', until_then - now)
  end
end

function settle.release(id, member, delay)
  free(member)
  if redis.call('EXISTS', job_key(id)) == 1 then
    if delay > 0 then
      wait_until(id, now + delay)
    else
      to_front(id)
    end
  end
end

-- `counted` is 0 for a job that is buried before it was started: its budget was spent by crashes.
function settle.bury(id, member, counted, failure)
  free(member)
  if count(id, now, counted, counted, failure) then
    redis.call('ZADD', DEAD, now, id)
  end
end

-- Completed jobs are most jobs: they end together, in two commands for all.
local function complete_all(ids, members)
  if #ids > 0 then
    redis.call('ZREM', LEASED, unpack(members))
    local keys = {}
    for i, id in ipairs(ids) do
      keys[i] = job_key(id)
    end
    redis.call('UNLINK', unpack(keys))
  end
end
