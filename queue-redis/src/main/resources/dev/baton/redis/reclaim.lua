-- Expired leases: the worker died, hangs or lost its connection. Uses up a start and an attempt, so that a job that kills
-- its process every time runs out of both. Answers the ids.

local function reclaim()
  local members, ids = pop_due(LEASED), {}
  -- Backwards, so that the lease that ended first is taken first.
  for i = #members, 1, -1 do
    local id = string.match(members[i], '^(.*)#[^#]*$')
    if count(id, 1, 1, '') then
      to_front(id)
      ids[#ids + 1] = id
    end
  end
  return ids
end
