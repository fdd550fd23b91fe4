-- Delayed jobs whose time has come become ready, those due first in front.

local function promote()
  local ids = redis.call('ZRANGEBYSCORE', DELAYED, '-inf', now, 'LIMIT', 0, LIMIT)
  if #ids > 0 then
    redis.call('ZREM', DELAYED, unpack(ids))
    redis.call('LPUSH', READY, unpack(ids))
  end
end
