-- Shortest remaining time first: whoever has the least left runs, and gives way to a newcomer that has less.
options { equals = "oldest|newest" }   -- of tasks with the same time left, whose arrival comes first: the oldest's (Stallings)
lowest "time left"

function enqueue(p)
    ready:insert(p, p.remaining, option.equals == "oldest" and p.arrival or -p.arrival)
end

function preempts(p, current) return p.remaining < current.remaining end
