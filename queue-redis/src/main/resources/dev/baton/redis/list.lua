-- A page of the jobs in one state, those that come first in front. Changes nothing.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 leased, 6 dead, 7 completed, 8 totals, 9 wake
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue   3 state   4 offset   5 at most so many
-- answer  per job: id, time in ms (as in find.lua), record

-- @include clock
-- @include places
-- @include record
-- @include job
-- @include lookup

local state, first = ARGV[3], tonumber(ARGV[4])
local last = first + tonumber(ARGV[5]) - 1
local ids, times = {}, {}

local function add_sorted(key, from, to)
  local flat = redis.call('ZRANGE', key, from, to, 'WITHSCORES')
  for i = 1, #flat, 2 do
    ids[#ids + 1] = flat[i]
    times[#ids] = tonumber(flat[i + 1])
  end
end

if SORTED[state] then
  add_sorted(SORTED[state], first, last)
elseif state == 'LEASED' then
  add_sorted(LEASED, first, last)
  for i, member in ipairs(ids) do
    ids[i] = string.match(member, '^(.*)#[^#]*$')
  end
else
  local urgent = redis.call('ZCARD', URGENT)
  if first < urgent then
    add_sorted(URGENT, first, last)
  end
  if last >= urgent then
    -- The next one is at the right end of the list.
    local from, to = math.max(first - urgent, 0), last - urgent
    local page = redis.call('LRANGE', READY, -1 - to, -1 - from)
    for i = #page, 1, -1 do
      ids[#ids + 1] = page[i]
    end
  end
  times = {}
end

local answer = {}
for i, id in ipairs(ids) do
  local record = redis.call('GET', job_key(id))
  if record and record ~= REMOVED then
    answer[#answer + 1] = id
    answer[#answer + 1] = times[i] or 0
    answer[#answer + 1] = record
  end
end
return answer
