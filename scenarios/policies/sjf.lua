-- Shortest job first: the ready task with the shortest next burst runs, to the end of the burst.
options { idle_until = 0 }   -- ms: no task is chosen before; the first arrival at or after it causes a choice
lowest "burst"

function enqueue(p) ready:insert(p, p.remaining, p.arrival) end

function pick_next()
    if now() < option.idle_until * ms or ready:empty() then return idle end
    local p = ready:first()
    consider(p, p.remaining)
    return p
end
