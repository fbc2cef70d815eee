-- Highest response ratio next: (waited + burst) / burst; short jobs go first, and long ones do not wait forever.
fields { since = 0 }
highest "response ratio (millionths)"

function enqueue(p)
    p.since = now()
    ready:add_last(p)
end

function pick_next()
    local best, most = nil, -1
    for p in ready:each() do
        local burst = max(p.remaining // us, 1)   -- in ns, the product would overflow in a long run
        local ratio = ((now() - p.since) // us + burst) * 1000000 // burst
        consider(p, ratio)
        if ratio > most then best, most = p, ratio end   -- of equals, the one queued longer
    end
    return best
end
