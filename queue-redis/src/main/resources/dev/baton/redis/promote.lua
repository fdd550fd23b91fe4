-- Delayed jobs whose time has come become ready, those due first in front; one with an ordering key takes its place behind
-- the others, or goes on as their head if it was tried before.

local function promote()
  for _, id in ipairs(pop_due(DELAYED)) do
    local priority, key = placing(beginning(id))
    if priority then
      if key ~= '' and redis.call('LINDEX', key_list(key), 0) == id then
        to_back(id, priority)
      else
        join(id, priority, key)
      end
    end
  end
end
