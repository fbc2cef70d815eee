-- Shortest remaining time first: the task with the least time left runs; a task that becomes ready with less preempts it.
options { equals = "oldest|newest" }   -- which runs first with the same time left; Stallings: the oldest
lowest "time left"

function enqueue(p)
    ready:insert(p, p.remaining, option.equals == "oldest" and p.arrival or -p.arrival)
end

function preempts(p, current) return p.remaining < current.remaining end
