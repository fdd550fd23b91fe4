-- Looks at one job. Changes nothing.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 leased, 6 dead, 7 completed, 8 totals, 9 wake
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue   3 id
-- answer  state, time in ms (when due, since when, or end of the lease; 0 if ready), record; empty if there is no such job

-- @include clock
-- @include places
-- @include record
-- @include job
-- @include lookup

local state, time, record = place_of(ARGV[3])
return state and {state, time, record} or {}
