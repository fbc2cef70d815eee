-- Shortest remaining time first: whoever has the least left runs, and gives way to a newcomer that has less.
options { equals = "oldest|newest" }   -- who goes first with the same time left: Stallings, the oldest
lowest "time left"

function enqueue(p)
    ready:insert(p, p.remaining, option.equals == "oldest" and p.arrival or -p.arrival)
end

function preempts(p, current) return p.remaining < current.remaining end
