-- Rate-monotonic scheduling: fixed priorities, and the shorter the period, the higher.
lowest "period"

function enqueue(p) ready:insert(p, p.period) end

function preempts(p, current) return p.period < current.period end
