-- Until when the queue is held, which a throttled job can only prolong.

local function hold_until(time)
  if time > config.hold and time > now then
    config.hold, config.restarted = time, 0
    redis.call('HSET', CONFIG, 'hold', string.format('%d', time), 'restarted', '0')
  end
end
