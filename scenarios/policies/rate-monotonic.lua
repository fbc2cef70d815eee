-- Rate-monotonic scheduling: fixed priorities, and the shorter the period, the higher; without one, the lowest.
lowest "period"

local longest = 100 * 3600 * 1000 * ms   -- longer than any run
local function period(p) return p.period > 0 and p.period or longest end

function enqueue(p) ready:insert(p, period(p)) end

function preempts(p, current) return period(p) < period(current) end
