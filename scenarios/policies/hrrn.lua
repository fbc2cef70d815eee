-- Highest response ratio next: (waited + burst) / burst; short jobs go first, and long ones do not wait for ever.
fields { since = 0 }
highest "response ratio in thousandths"

function enqueue(p)
    p.since = now()
    ready:add_last(p)
end

function pick_next()
    local best
    for p in ready:each() do
        local waited = now() - p.since
        consider(p, (waited + p.remaining) * 1000 // p.remaining)
        -- Compared as fractions: w / s of the one, w / s of the other.
        if not best or waited * best.remaining > (now() - best.since) * p.remaining then best = p end
    end
    return best
end
