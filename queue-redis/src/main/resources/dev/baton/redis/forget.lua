-- Dead jobs leave Redis, once the dead-letter store has them.
--
-- KEYS    1 dead, then one job key per job
-- ARGV    per job: id, time of death in ms
-- answer  how many left
-- keeps   10: a job that is not dead, or died again since it was read, stays
-- repeat  a second run finds nothing to do

local gone = 0
for i = 1, #KEYS - 1 do
  local id, died = ARGV[2 * i - 1], tonumber(ARGV[2 * i])
  if tonumber(redis.call('ZSCORE', KEYS[1], id) or -1) == died then
    redis.call('ZREM', KEYS[1], id)
    redis.call('UNLINK', KEYS[1 + i])
    gone = gone + 1
  end
end
return gone
