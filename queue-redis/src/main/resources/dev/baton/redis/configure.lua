-- Changes settings of the queue, and calls a worker: perhaps more may start now.
--
-- KEYS    1 config, 2 wake
-- ARGV    per setting: name, value or '' for none
-- answer  'done'
-- repeat  the same settings again change nothing

for i = 1, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[1], ARGV[i])
  else
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('LPUSH', KEYS[2], '1')
end
return 'done'
