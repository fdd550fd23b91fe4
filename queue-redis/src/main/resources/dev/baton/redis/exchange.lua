-- One round trip of a worker: settle what ended, renew leases, promote what is due, reclaim what expired, take.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 leased, 6 dead, 7 completed, 8 starts, 9 config, 10 wake, 11 totals,
--         12 session
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue
--         3 number of this exchange in its session    4 token of the jobs taken now    5 lease in ms
--         6 jobs wanted   7 more jobs, ahead of free slots, unless starts or running jobs are counted
--         8 ms for which the answer can be repeated   9 reclaim: '1', or '' if the worker has more to tell than this
--         10 groups of plain completions (of jobs without ordering key and unique id), then per group: token, how many, ids
--         then per other settlement seven words: verb, id, token, number (delay in ms, or whether a burial counts),
--         failure, ordering key, unique id
-- answer  now, ms until the next thing is due or -1, places of the settlements whose lease was lost (from 1), ids of the
--         jobs taken, their records, ids of reclaimed jobs; nothing instead of the places if a newer exchange was answered
--         before
-- keeps   4 (one state), 5 (a settlement without its lease changes nothing), 6 (a repeat gets the same answer),
--         8 (order of a key), 9 (limit), 13 (the server's clock); at most LIMIT jobs per step
-- repeat  the session remembers the number, the places and the ids: the same number gets the same answer, an older one
--         changes nothing

local READY, URGENT, DELAYED, BLOCKED, LEASED, DEAD = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local COMPLETED, STARTS, CONFIG, WAKE, TOTALS, SESSION = KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11], KEYS[12]
local LIMIT, FIRST, WORDS = 200, 10, 7

-- @include clock

local number, token, lease = tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
local wanted, ahead, remember = tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8]

-- @include config

local config = read_config()
if not config.concurrency and not config.limit then
  wanted = wanted + ahead
end
wanted = math.min(wanted, LIMIT)
local totals = {}
local function total(what, n)
  if n > 0 then
    totals[what] = (totals[what] or 0) + n
  end
end

-- When the queue next has something to do by itself, as far as it was seen.
local next_due
local function note_due(at)
  if at and (not next_due or at < next_due) then
    next_due = at
  end
end

local function head_of(set)
  return tonumber(redis.call('ZRANGE', set, 0, 0, 'WITHSCORES')[2])
end

-- Removes from a set by time what is due, at most LIMIT members, and answers them.
local function pop_due(set)
  local due, first = {}, head_of(set)
  if first and first <= now then
    due = redis.call('ZRANGEBYSCORE', set, '-inf', now, 'LIMIT', 0, LIMIT)
    redis.call('ZREM', set, unpack(due))
    first = head_of(set)
  end
  note_due(first)
  return due
end

-- @include record
-- @include job
-- @include wake
-- @include hold
-- @include gate
-- @include settle
-- @include reclaim
-- @include promote
-- @include take
-- @include retain

-- A repeat: the answer of then, with the records of now.
local last = redis.call('GET', SESSION)
if last then
  local last_number, places, lines = string.match(last, '^(%d+)\n([^\n]*)\n(.*)$')
  if number < tonumber(last_number) then
    return {now, -1, false, {}, {}, {}}
  elseif number == tonumber(last_number) then
    local lost, ids = {}, {}
    for place in string.gmatch(places, '%d+') do
      lost[#lost + 1] = tonumber(place)
    end
    for id in string.gmatch(lines, '[^\n]+') do
      ids[#ids + 1] = id
    end
    local still, records = taken_before(ids)
    return {now, 0, lost, still, records, {}}
  end
end

-- A server that is full refuses a script whose first write could need memory; once anything was written, all is allowed.
-- What ends here frees memory, so it must get through: nobody has this lease.
redis.call('ZREM', LEASED, '')
local lost = settle_all(FIRST)
local reclaimed = ARGV[9] == '1' and reclaim() or {}
total('reclaim', #reclaimed)
promote()
retain()
-- One more than is wanted, to know whether somebody else may have what is left over.
local open, reopens = gate(wanted + 1)
local ids, records, more = take(math.min(wanted, open))

if more and redis.call('EXISTS', READY, URGENT) > 0 then
  -- What is left over, if it may start, is for somebody else who sleeps.
  if open > #ids then
    wake_one()
  end
  note_due(reopens)
end
for what, n in pairs(totals) do
  redis.call('HINCRBY', TOTALS, what, n)
end
local answer = string.format('%d\n', number) .. table.concat(lost, ' ') .. '\n' .. table.concat(ids, '\n')
redis.call('SET', SESSION, answer, 'PX', remember)
return {now, next_due and math.max(0, next_due - now) or -1, lost, ids, records, reclaimed}
