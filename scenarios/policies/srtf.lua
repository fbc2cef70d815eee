-- Shortest remaining time first: whoever has the least left runs, and gives way to a newcomer that has less.
lowest "time left"

function enqueue(p) ready:insert(p, p.remaining, p.arrival) end

function preempts(p, current) return p.remaining < current.remaining end
