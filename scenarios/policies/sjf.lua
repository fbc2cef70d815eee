-- Shortest job first: of those that are ready, the one with the shortest next burst runs, and runs to its end.
lowest "burst"

function enqueue(p) ready:insert(p, p.remaining, p.arrival) end
