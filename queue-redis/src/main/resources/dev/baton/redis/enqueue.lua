-- Puts new jobs into the queue, in order, all or none; a job whose id or unique id is alive already changes nothing.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 completed, 6 wake, 7 totals
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue
--         then per job: id, '+' and a delay in ms or '@' and a time in ms, priority, ordering key, unique id, body
-- answer  per job: 'accepted' or 'duplicate'
-- keeps   4 (one state): the job key decides, and the id enters exactly one of ready, urgent, delayed and blocked; 8 (order)
-- repeat  a second run finds the job keys and answers 'duplicate'

local READY, URGENT, DELAYED, BLOCKED, COMPLETED = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local WAKE, TOTALS = KEYS[6], KEYS[7]

-- @include clock
-- @include job
-- @include enter

local answer = {}
for i = 3, #ARGV, 6 do
  local due = ARGV[i + 1]
  local at = tonumber(string.sub(due, 2))
  if string.sub(due, 1, 1) == '+' then
    at = now + at
  end
  answer[#answer + 1] = enter(ARGV[i], at, tonumber(ARGV[i + 2]), ARGV[i + 3], ARGV[i + 4], ARGV[i + 5])
end
entered()
return answer
