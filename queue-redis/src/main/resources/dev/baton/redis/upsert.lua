-- Puts a schedule in place of the one with its id. With the same timing the next run stays where it is; with another one
-- it is what the caller computed from the time of an earlier answer, unless that has passed meanwhile.
--
-- KEYS    1 schedules
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue   3 id   4 next run in ms, or '' if not known yet
--         5 anchor in ms   then name, value, .. of timing, missed, priority, key, unique, body
-- answer  word, now: 'same' (nothing changed), 'kept' (the next run stays), 'planned' (the next run is new), or 'late'
--         (nothing changed; compute the next run from this time, or from that of the last run if that is later)
-- keeps   12 (no occurrence is skipped or comes back: the next run moves only to the first one after now)
-- repeat  a second run answers 'same'

-- @include clock
-- @include stored

local SCHEDULES, id, next_run, anchor, FIRST = KEYS[1], ARGV[3], tonumber(ARGV[4]), ARGV[5], 6
local key = schedule_key(id)
local names = {}
for i = FIRST, #ARGV, 2 do
  names[#names + 1] = ARGV[i]
end
local found = redis.call('HMGET', key, unpack(names))
local same, same_timing = true, false
for n, name in ipairs(names) do
  local equal = found[n] == ARGV[FIRST + 2 * n - 1]
  same = same and equal
  same_timing = same_timing or (name == 'timing' and equal)
end
if same then
  return {'same', now}
end
-- If the clock was put back, an occurrence that ran must not come again.
local last = tonumber(redis.call('HGET', key, 'last') or 0)
if not same_timing then
  if not next_run or next_run <= math.max(now, last) then
    return {'late', math.max(now, last)}
  end
  redis.call('HSET', key, 'anchor', anchor)
  redis.call('ZADD', SCHEDULES, next_run, id)
end
redis.call('HINCRBY', key, 'version', 1)
redis.call('HSET', key, unpack(ARGV, FIRST))
return {same_timing and 'kept' or 'planned', now}
