-- Lottery scheduling: each quantum a ticket is drawn, and whoever holds it runs.
options { quantum = 10,       -- ticks
          draws = { 0 } }     -- to be used instead of random numbers, unless it is { 0 }
fields { left = 0 }
machine_fields { drawn = 0 }

function enqueue(p)
    p.left = option.quantum
    ready:add_last(p)
end

function tick(p)
    p.left = p.left - 1
    return p.left == 0
end

function pick_next()
    local total, winner = 0, nil
    for p in ready:each() do total = total + p.tickets end
    if total == 0 then return idle end
    machine.drawn = machine.drawn + 1
    local ticket = option.draws[machine.drawn] or 0
    if #option.draws == 1 then ticket = random(total) - 1 end
    ticket = ticket % total
    for p in tasks() do                       -- in the order of their numbers
        if p.queued and not winner then
            consider(p)
            if ticket < p.tickets then winner = p end
            ticket = ticket - p.tickets
        end
    end
    return winner
end
