-- A delayed job is due now, or a dead one is alive again with a fresh budget.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 leased, 6 dead, 7 completed, 8 totals, 9 wake
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue   3 id   4 state it must be in: DELAYED or DEAD
-- answer  'done', or 'absent' if it is in another state or nowhere, or dead while a living job has its unique id
-- keeps   4 (one state; one living job per unique id), 8 (order of a key): it is promoted by the next exchange, as any other
--         job that is due
-- repeat  a second run changes nothing

-- @include clock
-- @include places
-- @include record
-- @include job
-- @include lookup
-- @include wake

local id = ARGV[3]
local state, _, record = place_of(id)
if state ~= ARGV[4] then
  return 'absent'
end
if state == 'DEAD' then
  -- It gave its unique id up when it died.
  local _, _, unique = placing(record)
  if unique and unique ~= '' and not redis.call('SET', unique_key(unique), id, 'NX') then
    return 'absent'
  end
  redis.call('ZREM', DEAD, id)
  local fresh = string.gsub(record, '^%d+ %d+ (%d+) %d+ ', '0 0 %1 0 ', 1)
  redis.call('SET', job_key(id), fresh)
end
redis.call('ZADD', DELAYED, now, id)
wake_one()
return 'done'
