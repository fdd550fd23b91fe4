-- The job record, for the scripts that include this file. Four parts, each ended by a line feed but the last:
--   starts attempts enqueuedAt firstFailureAt
--   last failure, as the worker wrote it (may be empty)
--   name and headers
--   payload
-- The scripts read and write the first two and never look at the others.

local function job_key(id)
  return ARGV[2] .. id
end

-- Counts an ended start (and attempt), and keeps the failure if there is one. False if the job was removed.
local function count(id, now, starts, attempts, failure)
  local record = redis.call('GET', job_key(id))
  if not record then
    return false
  end
  local head_end = string.find(record, '\n', 1, true)
  local failure_end = string.find(record, '\n', head_end + 1, true)
  local s, a, enqueued, first = string.match(record, '^(%d+) (%d+) (%d+) (%d+)\n')
  if attempts > 0 and first == '0' then
    first = string.format('%d', now)
  end
  if failure == '' then
    failure = string.sub(record, head_end + 1, failure_end - 1)
  end
  local head = string.format('%d %d %s %s\n', s + starts, a + attempts, enqueued, first)
  redis.call('SET', job_key(id), head .. failure .. string.sub(record, failure_end))
  return true
end
