-- Whoever sleeps until there is something to take.

local function wake_one()
  if redis.call('EXISTS', WAKE) == 0 then
    redis.call('LPUSH', WAKE, '1')
  end
end
