-- Ends leases. Each member of `settle` is one way to end one; the caller has checked that the lease is still held.
-- A job that will run again keeps its ordering key, so its successors wait, unless the queue lets them pass.

local function wait_until(job, due)
  if config.order == 'pass' then
    pass_on(job.id, job.key)
  end
  redis.call('ZADD', DELAYED, due, job.id)
end

local settle = {}

function settle.retry(job)
  if count(job.id, 1, 1, job.failure) then
    wait_until(job, now + job.number)
  end
end

function settle.postpone(job)
  if count(job.id, 1, 0, '') then
    wait_until(job, now + job.number)
  end
end

function settle.throttle(job)
  if count(job.id, 1, 0, '') then
    to_front(job.id)
  end
  hold_until(now + job.number)
end

function settle.release(job)
  if redis.call('EXISTS', job_key(job.id)) == 1 then
    if job.number > 0 then
      wait_until(job, now + job.number)
    else
      to_front(job.id)
    end
  end
end

-- Released by a worker that does not know the job's name; only the total is another.
settle.unknown = settle.release

-- The number is 0 for a job that is buried before it was started: its budget was spent by crashes.
function settle.bury(job)
  if count(job.id, job.number, job.number, job.failure) then
    redis.call('ZADD', DEAD, now, job.id)
  end
  pass_on(job.id, job.key)
  free_unique(job.unique)
end

-- Completed jobs are most jobs: they end together, in two commands for all.
local function complete_all(jobs)
  if #jobs == 0 then
    return
  end
  local members, keys, kept = {}, {}, {}
  for i, job in ipairs(jobs) do
    members[i] = job.member
    keys[i] = job_key(job.id)
    kept[2 * i - 1] = now
    kept[2 * i] = job.id
  end
  redis.call('ZREM', LEASED, unpack(members))
  if config.keeps then
    redis.call('ZADD', COMPLETED, unpack(kept))
  else
    redis.call('UNLINK', unpack(keys))
  end
  for _, job in ipairs(jobs) do
    pass_on(job.id, job.key)
    free_unique(job.unique)
  end
end

-- Settlements and renewals, in order. One ZMSCORE tells for all of them whether the lease is still held.
local function settle_all(first, words)
  local verdicts, members, completed = {}, {}, {}
  for i = first, #ARGV, words do
    members[#members + 1] = ARGV[i + 1] .. '#' .. ARGV[i + 2]
  end
  local held = #members > 0 and redis.call('ZMSCORE', LEASED, unpack(members)) or {}
  for n, member in ipairs(members) do
    local i = first + (n - 1) * words
    local verb = ARGV[i]
    verdicts[n] = held[n] and 'done' or 'lost'
    if not held[n] then
      total('lost', 1)
    elseif verb == 'renew' then
      redis.call('ZADD', LEASED, 'XX', now + lease, member)
    else
      local job = {id = ARGV[i + 1], member = member, number = tonumber(ARGV[i + 3]), failure = ARGV[i + 4],
        key = ARGV[i + 5], unique = ARGV[i + 6]}
      total(verb, 1)
      if verb == 'complete' then
        completed[#completed + 1] = job
      else
        redis.call('ZREM', LEASED, member)
        settle[verb](job)
      end
    end
  end
  complete_all(completed)
  return verdicts
end
