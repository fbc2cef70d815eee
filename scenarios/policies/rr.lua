-- Round robin: the first of the queue runs, for a quantum; then it goes to the end.
options { quantum = 20,               -- ms: a slice
          newcomer = "first|last" }   -- who comes as a slice ends: before who had it (Stallings), or behind

function enqueue(p, why)
    p.slice = option.quantum * ms
    if option.newcomer == "first" then
        ready:add_last(p)
    else
        ready:insert(p, now(), why == "wake" and 1 or 0)
    end
end
