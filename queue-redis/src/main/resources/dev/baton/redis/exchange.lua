-- One round trip of a worker: settle what ended, renew leases, promote what is due, reclaim what expired, take.
--
-- KEYS    1 ready, 2 delayed, 3 leased, 4 dead, 5 hold, 6 wake, 7 totals, 8 session
-- ARGV    1 now in ms, or '' for the server's clock   2 prefix of the job keys, in the same slot
--         3 number of this exchange in its session    4 token of the jobs taken now    5 lease in ms
--         6 jobs wanted                               7 ms for which the answer can be repeated
--         then per settlement five words: verb, id, token, number (delay in ms, or whether bury counts), failure
-- answer  now, ms until the next thing is due or -1, verdicts ('done' or 'lost' per settlement), taken (id, record, ..)
-- keeps   4 (one state), 5 (a settlement without its lease changes nothing), 6 (a repeat gets the same answer),
--         13 (the server's clock); at most LIMIT jobs per step
-- repeat  the session remembers the number, the verdicts and the ids: the same number gets the same answer, an older one
--         changes nothing

local READY, DELAYED, LEASED, DEAD = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local HOLD, WAKE, TOTALS, SESSION = KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local LIMIT = 200

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local number, token, lease = tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
local wanted, remember = math.min(tonumber(ARGV[6]), LIMIT), ARGV[7]
local FIRST, WORDS = 8, 5

-- @include job
-- @include settle
-- @include reclaim
-- @include promote
-- @include take

local totals = {}
local function total(what, n)
  if n > 0 then
    totals[what] = (totals[what] or 0) + n
  end
end

-- Settlements and renewals, in order. One ZMSCORE tells for all of them whether the lease is still held.
local function settle_all()
  local verdicts, members = {}, {}
  for i = FIRST, #ARGV, WORDS do
    members[#members + 1] = ARGV[i + 1] .. '#' .. ARGV[i + 2]
  end
  if #members == 0 then
    return verdicts
  end
  local held = redis.call('ZMSCORE', LEASED, unpack(members))
  local ids, done = {}, {}
  for n, member in ipairs(members) do
    local i = FIRST + (n - 1) * WORDS
    local verb, id = ARGV[i], ARGV[i + 1]
    if not held[n] then
      verdicts[n] = 'lost'
      total('lost', 1)
    elseif verb == 'renew' then
      verdicts[n] = 'done'
      redis.call('ZADD', LEASED, 'XX', now + lease, member)
    elseif verb == 'complete' then
      verdicts[n] = 'done'
      ids[#ids + 1] = id
      done[#done + 1] = member
    else
      verdicts[n] = 'done'
      settle[verb](id, member, tonumber(ARGV[i + 3]), ARGV[i + 4])
      total(verb, 1)
    end
  end
  complete_all(ids, done)
  total('complete', #ids)
  return verdicts
end

local function next_due()
  local due = {}
  local hold = tonumber(redis.call('GET', HOLD) or 0)
  if hold > now and redis.call('LLEN', READY) > 0 then
    due[1] = hold
  end
  due[#due + 1] = tonumber(redis.call('ZRANGE', DELAYED, 0, 0, 'WITHSCORES')[2])
  due[#due + 1] = tonumber(redis.call('ZRANGE', LEASED, 0, 0, 'WITHSCORES')[2])
  return #due == 0 and -1 or math.max(0, math.min(unpack(due)) - now)
end

-- A repeat: the answer of then, with the records of now.
local last = redis.call('GET', SESSION)
if last then
  local last_number, words, lines = string.match(last, '^(%d+)\n([^\n]*)\n(.*)$')
  if number < tonumber(last_number) then
    return {now, -1, {}, {}}
  elseif number == tonumber(last_number) then
    local verdicts, ids = {}, {}
    for word in string.gmatch(words, '%a+') do
      verdicts[#verdicts + 1] = word
    end
    for id in string.gmatch(lines, '[^\n]+') do
      ids[#ids + 1] = id
    end
    local _, taken = with_records(ids)
    return {now, next_due(), verdicts, taken}
  end
end

local verdicts = settle_all()
total('reclaim', reclaim())
promote()
local ids, taken = take(wanted)

-- What is left over is for somebody else who sleeps.
if redis.call('LLEN', READY) > 0 and redis.call('EXISTS', HOLD, WAKE) == 0 then
  redis.call('LPUSH', WAKE, '1')
end
for what, n in pairs(totals) do
  redis.call('HINCRBY', TOTALS, what, n)
end
local answer = string.format('%d\n', number) .. table.concat(verdicts, ' ') .. '\n' .. table.concat(ids, '\n')
redis.call('SET', SESSION, answer, 'PX', remember)
return {now, next_due(), verdicts, taken}
