-- Earliest deadline first: of all jobs, the one with the earliest deadline runs.
options { equals = "listed|oldest" }   -- of equal deadlines: the first in the list, or the first released
lowest "deadline"

function enqueue(p) ready:insert(p, p.deadline, option.equals == "listed" and p.pid or p.release) end

function preempts(p, current) return p.deadline < current.deadline end
