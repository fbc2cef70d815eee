-- Shortest job first: of those that are ready, the one with the shortest next burst runs, and runs to its end.
options { idle_until = 0 }   -- ms: nobody is chosen before; the first arrival from then on brings a choice
lowest "burst"

function enqueue(p) ready:insert(p, p.remaining, p.arrival) end

function pick_next()
    if now() < option.idle_until * ms or ready:empty() then return idle end
    local p = ready:first()
    consider(p, p.remaining)
    return p
end
