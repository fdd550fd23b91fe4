-- Dead jobs leave Redis, once the dead-letter store has them.
--
-- KEYS    1 dead
-- ARGV    1 unused   2 tag of the queue   then per job: id, time of death in ms
-- answer  how many left
-- keeps   10: a job that is not dead, or died again since it was read, stays
-- repeat  a second run finds nothing to do

local gone = 0
for i = 3, #ARGV, 2 do
  local id, died = ARGV[i], tonumber(ARGV[i + 1])
  if tonumber(redis.call('ZSCORE', KEYS[1], id) or -1) == died then
    redis.call('UNLINK', ARGV[2] .. ':job:' .. id)
    redis.call('ZREM', KEYS[1], id)
    gone = gone + 1
  end
end
return gone
