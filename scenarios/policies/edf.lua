-- Earliest deadline first: of all jobs, the one whose deadline comes first runs.
lowest "deadline"

function enqueue(p) ready:insert(p, p.deadline) end

function preempts(p, current) return p.deadline < current.deadline end
