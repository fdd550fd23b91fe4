-- A chunk of a relay's batch enters the queue, unless another relay was here; the queue remembers number and ids of the batch.
--
-- KEYS    1 ready, 2 urgent, 3 delayed, 4 blocked, 5 completed, 6 wake, 7 totals, 8 relay
-- ARGV    1 now in ms, or '' for the server's clock   2 tag of the queue
--         3 number and 4 chunks of the batch that the relay knows to be the last   5 number of this batch
--         6 chunk, from 0   7 last: '1' if it is the last one   8 number up to which nothing is missing after the last chunk
--         9 ids to be remembered although they are not in the batch, with spaces between
--         then per job as in enqueue.lua
-- answer  how many are new, or -1 if the queue remembers something else
-- keeps   2 (exactly once): HandOver.java says why, docs/models/relay.pml shows it
-- repeat  a second run finds its own number, and all ids among those it remembers

local READY, URGENT, DELAYED, BLOCKED, COMPLETED = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local WAKE, TOTALS, MEMORY = KEYS[6], KEYS[7], KEYS[8]
local FIRST = 10

-- @include clock
-- @include job
-- @include enter

local known_number, known_chunks, number = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local chunk, last = tonumber(ARGV[6]), ARGV[7] == '1'

local fields = redis.call('HGETALL', MEMORY)
local seen_number, seen_chunks, complete, known, older = 0, 0, '0', {}, {}
for i = 1, #fields, 2 do
  if fields[i] == 'head' then
    local n, c, upto = string.match(fields[i + 1], '^(%d+) (%d+) (%d+)$')
    seen_number, seen_chunks, complete = tonumber(n), tonumber(c), upto
  else
    for id in string.gmatch(fields[i + 1], '%S+') do
      known[id] = true
    end
    if string.match(fields[i], '^%d+') ~= ARGV[5] then
      older[#older + 1] = fields[i]
    end
  end
end

local mine = seen_number == number and seen_chunks >= chunk
local first = chunk == 0 and seen_number == known_number and seen_chunks == known_chunks
if not mine and not first then
  return -1
end

local batch, new = {}, 0
for i = FIRST, #ARGV, 3 do
  batch[#batch + 1] = ARGV[i]
  if not known[ARGV[i]] then
    enter(ARGV[i], ARGV[i + 1], ARGV[i + 2])
  end
end
entered()
for number = 1, count do
  new = new + (accepted[number] and 1 or 0)
end
local chunks = math.max(mine and seen_chunks or 0, chunk + 1)
redis.call('HSET', MEMORY, ARGV[5] .. ':' .. ARGV[6], table.concat(batch, ' '), ARGV[5] .. ':keep', ARGV[9],
  'head', string.format('%.0f %d ', number, chunks) .. (last and ARGV[8] or complete))
if last and #older > 0 then
  redis.call('HDEL', MEMORY, unpack(older))
end
return new
