-- How many jobs are in each state, and how often each thing happened. One moment for all. Changes nothing.
--
-- KEYS    1 ready, 2 delayed, 3 leased, 4 dead, 5 totals
-- answer  ready, delayed, leased, dead, then the totals as name, value, ..

local answer = {
  redis.call('LLEN', KEYS[1]), redis.call('ZCARD', KEYS[2]), redis.call('ZCARD', KEYS[3]), redis.call('ZCARD', KEYS[4])
}
for _, word in ipairs(redis.call('HGETALL', KEYS[5])) do
  answer[#answer + 1] = word
end
return answer
