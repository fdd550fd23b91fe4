-- A chunk of a relay's batch enters the queue, unless another relay was here; the queue remembers number and ids of the batch.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 completed, 6 wake, 7 totals, 8 relay
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue
--         3 number and 4 chunks of the batch that the relay knows to be the last   5 number of this batch
--         6 chunk, from 0   7 last: '1' if it is the last one   8 number up to which nothing is missing after the last chunk
--         9 ids to be remembered although they are not in the batch, with spaces between
--         then per job as in enqueue.lua, or with the place '=' if the queue remembers it: it is remembered again, no more.
--         Words 3 and 4 are the version of the memory, so what the relay read in it is what it is
-- answer  how many are new, or -1 if the queue remembers something else
-- keeps   2 (exactly once): HandOver.java says why, docs/models/relay.pml shows it
-- repeat  a second run finds that the chunk was taken

local READY, URGENT, DELAYED, BLOCKED, COMPLETED = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local WAKE, TOTALS, MEMORY = KEYS[6], KEYS[7], KEYS[8]
local FIRST, KNOWN = 10, '='

-- @include clock
-- @include record
-- @include job
-- @include wake
-- @include enter

local chunk, last = tonumber(ARGV[6]), ARGV[7] == '1'

local seen_number, seen_chunks, complete =
  string.match(redis.call('HGET', MEMORY, 'head') or '0 0 0', '^(%d+) (%d+) (%d+)$')
seen_chunks = tonumber(seen_chunks)

if seen_number == ARGV[5] and seen_chunks > chunk then
  return 0
end
local next_one = seen_number == ARGV[5] and seen_chunks == chunk
local first = chunk == 0 and seen_number == ARGV[3] and seen_chunks == tonumber(ARGV[4])
if not next_one and not first then
  return -1
end

local batch, new = {}, 0
for i = FIRST, #ARGV, 3 do
  batch[#batch + 1] = ARGV[i]
  if ARGV[i + 1] ~= KNOWN then
    enter(ARGV[i], ARGV[i + 1], ARGV[i + 2])
  end
end
entered()
for number = 1, count do
  new = new + (accepted[number] and 1 or 0)
end
redis.call('HSET', MEMORY, ARGV[5] .. ':' .. ARGV[6], table.concat(batch, ' '), ARGV[5] .. ':keep', ARGV[9],
  'head', ARGV[5] .. ' ' .. (chunk + 1) .. ' ' .. (last and ARGV[8] or complete))
if last then
  for _, field in ipairs(redis.call('HKEYS', MEMORY)) do
    if field ~= 'head' and string.match(field, '^%d+') ~= ARGV[5] then
      redis.call('HDEL', MEMORY, field)
    end
  end
end
return new
