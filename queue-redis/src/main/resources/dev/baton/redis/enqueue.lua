-- Puts new jobs into the queue, in order, all or none; a job whose id or unique id is alive already changes nothing.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 completed, 6 wake, 7 totals
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue
--         then per job three words: id, place as enter.lua describes it, body
-- answer  places of the duplicates, from 1
-- keeps   4 (one state): the job key decides, and the id enters exactly one of ready, urgent, delayed and blocked; 8 (order)
-- repeat  a second run finds the job keys: all are duplicates

local READY, URGENT, DELAYED, BLOCKED, COMPLETED = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local WAKE, TOTALS = KEYS[6], KEYS[7]

-- @include clock
-- @include record
-- @include wake

-- A single plain job, as most calls bring, needs none of what is defined below, which would cost as much again.
local id, place, body = unpack(ARGV, 3, 5)
if #ARGV == 5 and place == '' and redis.call('SET', job_key(id), PLAIN_HEAD .. body, 'NX') then
  redis.call('LPUSH', READY, id)
  wake_one()
  return {}
end

-- @include job
-- @include enter

for i = 3, #ARGV, 3 do
  enter(ARGV[i], ARGV[i + 1], ARGV[i + 2])
end
entered()
local duplicates = {}
for number = 1, count do
  if not accepted[number] then
    duplicates[#duplicates + 1] = number
  end
end
return duplicates
