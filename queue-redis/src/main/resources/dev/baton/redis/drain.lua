-- Removes the jobs of one state, at most so many; of those that workers hold, the results will be refused.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 leased, 6 dead, 7 completed, 8 totals, 9 wake
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue   3 state   4 at most so many
-- answer  how many places are empty now; 0 if there is nothing left
-- keeps   4 (one state), 8 (successors of what is removed are next, and removed by a later call)

-- @include clock
-- @include places
-- @include record
-- @include job
-- @include lookup
-- @include removal
-- @include wake

local state, most = ARGV[3], tonumber(ARGV[4])
local ids
if state == 'READY' then
  -- Taken out of the list first, so nothing has to be left behind there.
  ids = redis.call('RPOP', READY, most) or {}
  -- With none wanted, the range would end at -1, which is the last one.
  local urgent = #ids < most and redis.call('ZRANGE', URGENT, 0, most - #ids - 1) or {}
  for _, id in ipairs(urgent) do
    ids[#ids + 1] = id
    redis.call('ZREM', URGENT, id)
  end
elseif state == 'LEASED' then
  ids = redis.call('ZRANGE', LEASED, 0, most - 1)
  for i, member in ipairs(ids) do
    redis.call('ZREM', LEASED, member)
    ids[i] = string.match(member, '^(.*)#[^#]*$')
  end
else
  ids = redis.call('ZRANGE', SORTED[state], 0, most - 1)
end
for _, id in ipairs(ids) do
  local record = redis.call('GET', job_key(id))
  if record == REMOVED then
    redis.call('HINCRBY', TOTALS, 'ghosts', -1)
    redis.call('UNLINK', job_key(id))
  elseif record then
    leave(id, state, record)
  elseif SORTED[state] then
    redis.call('ZREM', SORTED[state], id)
  end
end
return #ids
