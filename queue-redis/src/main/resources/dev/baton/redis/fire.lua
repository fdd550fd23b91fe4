-- Occurrences become jobs, and their schedules get their next run, both or none. Only if the schedule is what the caller
-- has read: of several that do this at once, one wins.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 completed, 6 wake, 7 totals, 8 schedules
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue
--         then per schedule eight words: id, due in ms, version, next run in ms, 'run' or 'skip', and as in enqueue.lua id
--         of the job, place, body
-- answer  per schedule: 'accepted', 'duplicate' (a job with that id or unique id is alive), 'skipped', or 'passed' (somebody
--         else was here: nothing changed)
-- keeps   4 (one state), 12 (the due time moves on with the job, and never comes back)
-- repeat  a second run finds another due time and answers 'passed'

local READY, URGENT, DELAYED, BLOCKED, COMPLETED = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local WAKE, TOTALS, SCHEDULES = KEYS[6], KEYS[7], KEYS[8]

-- @include clock
-- @include record
-- @include job
-- @include wake
-- @include enter
-- @include stored

local answer, runs = {}, {}
for i = 3, #ARGV, 8 do
  local id, due, version, next_run = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local word = 'passed'
  if tonumber(redis.call('ZSCORE', SCHEDULES, id) or -1) == tonumber(due)
    and redis.call('HGET', schedule_key(id), 'version') == version then
    redis.call('ZADD', SCHEDULES, next_run, id)
    word = 'skipped'
    if ARGV[i + 4] == 'run' then
      redis.call('HSET', schedule_key(id), 'last', due)
      runs[enter(ARGV[i + 5], ARGV[i + 6], ARGV[i + 7])] = #answer + 1
    end
  end
  answer[#answer + 1] = word
end
entered()
for number = 1, count do
  answer[runs[number]] = accepted[number] and 'accepted' or 'duplicate'
end
return answer
