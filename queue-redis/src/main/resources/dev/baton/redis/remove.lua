-- Removes one job, unless a worker holds it.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 leased, 6 dead, 7 completed, 8 totals, 9 wake
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue   3 id
-- answer  the state it was in: LEASED means that it is still there; '' if there is no such job
-- keeps   4 (one state), 8 (its successor is next)
-- repeat  a second run finds no such job

-- @include clock
-- @include places
-- @include record
-- @include job
-- @include lookup
-- @include removal
-- @include wake

local state, _, record = place_of(ARGV[3])
if state and state ~= 'LEASED' then
  remove(ARGV[3], state, record)
  wake_one()
end
return state or ''
