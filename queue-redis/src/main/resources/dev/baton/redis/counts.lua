-- How many jobs are in each state, how long the oldest ready one waits, and how often each thing happened. One moment for
-- all. Changes nothing.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 leased, 6 dead, 7 completed, 8 totals
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue
-- answer  ready, delayed, blocked, leased, dead, completed, age in ms of the oldest ready job or -1, then the totals as
--         name, value, ..

-- @include clock

local function enqueued(id)
  local head = id and redis.call('GETRANGE', ARGV[2] .. ':job:' .. id, 0, 63) or ''
  return tonumber(string.match(head, '^%d+ %d+ (%d+) '))
end

-- Ids of removed jobs wait in the list until their turn comes, but they are no jobs; of 200 in a row no more are looked at.
local ghosts = tonumber(redis.call('HGET', KEYS[8], 'ghosts') or 0)
local oldest
local last = redis.call('LRANGE', KEYS[1], ghosts > 0 and -200 or -1, -1)
for i = #last, 1, -1 do
  oldest = oldest or enqueued(last[i])
end
local urgent = enqueued(redis.call('ZRANGE', KEYS[2], 0, 0)[1])
if urgent and (not oldest or urgent < oldest) then
  oldest = urgent
end
local answer = {redis.call('LLEN', KEYS[1]) + redis.call('ZCARD', KEYS[2]) - ghosts}
for i = 3, 7 do
  answer[i - 1] = redis.call('ZCARD', KEYS[i])
end
answer[7] = oldest and now - oldest or -1
for _, word in ipairs(redis.call('HGETALL', KEYS[8])) do
  answer[#answer + 1] = word
end
return answer
