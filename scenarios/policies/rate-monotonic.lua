-- Rate-monotonic scheduling: fixed priorities. The shorter the period, the higher; without a period, the lowest.
lowest "period"

local longest = 100 * 3600 * 1000 * ms   -- longer than any run
local function period(p) return p.period > 0 and p.period or longest end

function enqueue(p) ready:insert(p, period(p)) end

function preempts(p, current) return period(p) < period(current) end
