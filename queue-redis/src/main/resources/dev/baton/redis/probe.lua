-- Tries every command that the other scripts use, and says which fail: they are unknown here, or not allowed to the user.
--
-- KEYS    1 a key of the queue that nothing else uses; at the end a list of one, for a second
-- answer  per command that failed: name, error
-- repeat  does the same again

local key, answer = KEYS[1], {}
local function try(command, ...)
  local reply = redis.pcall(command, ...)
  -- If the key could not be removed in between, the next command finds the wrong type; it is allowed all the same.
  if type(reply) == 'table' and reply.err and not string.find(reply.err, 'WRONGTYPE', 1, true) then
    answer[#answer + 1] = command
    answer[#answer + 1] = reply.err
  end
end

try('TIME')
try('SET', key, '1', 'PX', 1000)
try('GET', key)
try('MGET', key)
try('MSETNX', key, '1')
try('EXISTS', key)
try('GETRANGE', key, 0, 1)
try('PEXPIRE', key, 1000)
try('UNLINK', key)

try('LPUSH', key, 'a')
try('RPUSH', key, 'b')
try('LLEN', key)
try('LINDEX', key, 0)
try('LRANGE', key, 0, 1)
try('LREM', key, 1, 'c')
try('LTRIM', key, 0, 9)
try('LPOP', key)
try('RPOP', key, 2)
redis.pcall('UNLINK', key)

try('ZADD', key, 1, 'a')
try('ZCARD', key)
try('ZSCORE', key, 'a')
try('ZMSCORE', key, 'a')
try('ZRANGE', key, 0, 0)
try('ZRANGEBYSCORE', key, 0, 1, 'LIMIT', 0, 1)
try('ZPOPMIN', key, 1)
try('ZREM', key, 'a')
redis.pcall('UNLINK', key)

try('HINCRBY', key, 'a', 1)
try('HSET', key, 'b', '1')
try('HGET', key, 'b')
try('HMGET', key, 'a', 'b')
try('HDEL', key, 'b')
try('HGETALL', key)
try('HKEYS', key)
redis.pcall('UNLINK', key)

-- For the BLPOP that follows, which no script can try: with nothing to find it would wait for the server's next tick.
redis.pcall('RPUSH', key, 'a')
redis.pcall('PEXPIRE', key, 1000)
return answer
