-- The names of what belongs to a job, and the beginning of a new job's record. ARGV[2] is the queue's tag: what is named by
-- an id or a key lies in the same slot, though only Redis knows its name before the call.
--
-- The record has four parts, each ended by a line feed but the last:
--   starts attempts enqueuedAt firstFailureAt priority <tab> ordering key <tab> unique id
--   last failure, as the worker wrote it (may be empty)
--   name, headers and retry policy
--   payload
-- The scripts read and write the first two and never look at the others.

local HEAD = string.format('0 0 %d 0 ', now)
local PLAIN_HEAD = HEAD .. '0\t\t\n\n'   -- without priority, ordering key and unique id

local function job_key(id)
  return ARGV[2] .. ':job:' .. id
end

local function key_list(key)
  return ARGV[2] .. ':key:' .. key
end

local function unique_key(unique)
  return ARGV[2] .. ':unique:' .. unique
end
