-- The places of a queue, for the scripts of administration; all of them take KEYS in this order.

local READY, URGENT, DELAYED, BLOCKED, LEASED = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local DEAD, COMPLETED, TOTALS, WAKE = KEYS[6], KEYS[7], KEYS[8], KEYS[9]

local SORTED = {DELAYED = DELAYED, BLOCKED = BLOCKED, DEAD = DEAD, COMPLETED = COMPLETED}
