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

-- Its worker stopped and it took no notice: that was a start, so that a job that stops its process every time runs out of them.
function settle.abandon(job)
  if count(job.id, 1, 0, '') then
    to_front(job.id)
  end
end

function settle.throttle(job)
  settle.abandon(job)
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
local function complete_all(ids, members)
  if #ids == 0 then
    return
  end
  total('complete', #ids)
  redis.call('ZREM', LEASED, unpack(members, 1, #ids))
  local words, at = {}, string.format('%d', now)
  for i, id in ipairs(ids) do
    if config.keeps then
      words[2 * i - 1] = at
      words[2 * i] = id
    else
      words[i] = job_key(id)
    end
  end
  if config.keeps then
    redis.call('ZADD', COMPLETED, unpack(words))
  else
    redis.call('UNLINK', unpack(words))
  end
end

-- The ids of the plain completions, the members of all leases that are spoken of, in order, how many those are, and where
-- the other settlements begin.
local function leases_named(first)
  local ids, members, n, at = {}, {}, 0, first + 1
  for _ = 1, tonumber(ARGV[first]) do
    local suffix, last = '#' .. ARGV[at], at + 1 + tonumber(ARGV[at + 1])
    for i = at + 2, last do
      n = n + 1
      ids[n] = ARGV[i]
      members[n] = ARGV[i] .. suffix
    end
    at = last + 1
  end
  for i = at, #ARGV, WORDS do
    n = n + 1
    members[n] = ARGV[i + 1] .. '#' .. ARGV[i + 2]
  end
  return ids, members, n, at
end

-- What a settlement does beside what `complete_all` has done.
local function settle_one(i, member)
  local verb = ARGV[i]
  if verb == 'renew' then
    redis.call('ZADD', LEASED, 'XX', now + lease, member)
    return
  end
  local job = {id = ARGV[i + 1], number = tonumber(ARGV[i + 3]), failure = ARGV[i + 4], key = ARGV[i + 5],
    unique = ARGV[i + 6]}
  if verb == 'complete' then
    pass_on(job.id, job.key)
    free_unique(job.unique)
  else
    total(verb, 1)
    redis.call('ZREM', LEASED, member)
    settle[verb](job)
  end
end

-- Plain completions and then the other settlements and renewals, in order; answers the places of those whose lease was no
-- longer held. One ZMSCORE tells for all of them.
local function settle_all(first)
  local ids, members, n, others = leases_named(first)
  local held = n > 0 and redis.call('ZMSCORE', LEASED, unpack(members)) or {}
  local plain, lost = #ids, {}
  for i = 1, n do
    if not held[i] then
      lost[#lost + 1] = i
    end
  end
  total('lost', #lost)
  if n == plain and #lost == 0 then
    complete_all(ids, members)
    return lost
  end
  local function word(i)
    return others + (i - plain - 1) * WORDS
  end
  local ended_ids, ended_members = {}, {}
  for i = 1, n do
    if held[i] and (i <= plain or ARGV[word(i)] == 'complete') then
      ended_ids[#ended_ids + 1] = ids[i] or ARGV[word(i) + 1]
      ended_members[#ended_members + 1] = members[i]
    end
  end
  complete_all(ended_ids, ended_members)
  for i = plain + 1, n do
    if held[i] then
      settle_one(word(i), members[i])
    end
  end
  return lost
end
