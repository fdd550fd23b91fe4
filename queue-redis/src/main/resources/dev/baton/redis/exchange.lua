-- One round trip of a worker: settle what ended, renew leases, promote what is due, reclaim what expired, take.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 leased, 6 dead, 7 completed, 8 hold, 9 restarted, 10 starts,
--         11 config, 12 wake, 13 totals, 14 session
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue
--         3 number of this exchange in its session    4 token of the jobs taken now    5 lease in ms
--         6 jobs wanted                               7 ms for which the answer can be repeated
--         then per settlement seven words: verb, id, token, number (delay in ms, or whether a burial counts), failure,
--         ordering key, unique id
-- answer  now, ms until the next thing is due or -1, verdicts ('done' or 'lost' per settlement), taken (id, record, ..),
--         ids of reclaimed jobs
-- keeps   4 (one state), 5 (a settlement without its lease changes nothing), 6 (a repeat gets the same answer),
--         8 (order of a key), 9 (limit), 13 (the server's clock); at most LIMIT jobs per step
-- repeat  the session remembers the number, the verdicts and the ids: the same number gets the same answer, an older one
--         changes nothing

local READY, URGENT, DELAYED, BLOCKED, LEASED, DEAD = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local COMPLETED, HOLD, RESTARTED, STARTS, CONFIG = KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local WAKE, TOTALS, SESSION = KEYS[12], KEYS[13], KEYS[14]
local LIMIT, FIRST, WORDS = 200, 8, 7

-- @include clock

local number, token, lease = tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
local wanted, remember = math.min(tonumber(ARGV[6]), LIMIT), ARGV[7]

-- @include config

local config = read_config()
local totals = {}
local function total(what, n)
  if n > 0 then
    totals[what] = (totals[what] or 0) + n
  end
end

-- @include job
-- @include gate
-- @include settle
-- @include reclaim
-- @include promote
-- @include take
-- @include retain

local function ready()
  return redis.call('LLEN', READY) + redis.call('ZCARD', URGENT)
end

-- `reopens` is when the gate may let more through; it matters only if somebody waits for that.
local function next_due(reopens)
  local due = {ready() > 0 and reopens or nil}
  due[#due + 1] = tonumber(redis.call('ZRANGE', DELAYED, 0, 0, 'WITHSCORES')[2])
  due[#due + 1] = tonumber(redis.call('ZRANGE', LEASED, 0, 0, 'WITHSCORES')[2])
  return #due == 0 and -1 or math.max(0, math.min(unpack(due)) - now)
end

-- A repeat: the answer of then, with the records of now.
local last = redis.call('GET', SESSION)
if last then
  local last_number, words, lines = string.match(last, '^(%d+)\n([^\n]*)\n(.*)$')
  if number < tonumber(last_number) then
    return {now, -1, {}, {}, {}}
  elseif number == tonumber(last_number) then
    local verdicts, ids = {}, {}
    for word in string.gmatch(words, '%a+') do
      verdicts[#verdicts + 1] = word
    end
    for id in string.gmatch(lines, '[^\n]+') do
      ids[#ids + 1] = id
    end
    return {now, 0, verdicts, taken_before(ids), {}}
  end
end

local verdicts = settle_all(FIRST, WORDS)
local reclaimed = reclaim()
total('reclaim', #reclaimed)
promote()
retain()
-- One more than is wanted, to know whether somebody else may have what is left over.
local open, reopens = gate(wanted + 1)
local ids, taken = take(math.min(wanted, open))

-- What is left over, if it may start, is for somebody else who sleeps.
if open > #ids and ready() > 0 and redis.call('EXISTS', WAKE) == 0 then
  redis.call('LPUSH', WAKE, '1')
end
for what, n in pairs(totals) do
  redis.call('HINCRBY', TOTALS, what, n)
end
local answer = string.format('%d\n', number) .. table.concat(verdicts, ' ') .. '\n' .. table.concat(ids, '\n')
redis.call('SET', SESSION, answer, 'PX', remember)
return {now, next_due(reopens), verdicts, taken, reclaimed}
