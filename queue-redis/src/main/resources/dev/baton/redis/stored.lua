-- A schedule as it is stored: a hash of timing, missed, priority, key, unique, body (what a job record ends with), anchor
-- in ms, version (another one with every change) and last (the last occurrence that ran, in ms). Its next run is its score
-- in the sorted set of all schedules.

local function schedule_key(id)
  return ARGV[2] .. ':schedule:' .. id
end

-- Id, next run in ms, and the hash as name, value, ..
local function stored(id, due)
  return {id, due, redis.call('HGETALL', schedule_key(id))}
end
