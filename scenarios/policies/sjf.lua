-- Shortest job first: of those that are ready, the one with the shortest next burst runs, and runs to its end.
options { waits = 0 }   -- ms at the beginning in which nobody is chosen; the first arrival from then on ends it
lowest "burst"

function enqueue(p) ready:insert(p, p.remaining, p.arrival) end

function pick_next()
    if now() < option.waits * ms or ready:empty() then return idle end
    local p = ready:first()
    consider(p, p.remaining)
    return p
end
