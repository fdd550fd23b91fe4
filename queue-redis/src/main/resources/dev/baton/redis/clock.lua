-- The time in ms: the server's, unless a test brings its own in ARGV[1].

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
