-- Lottery scheduling: a ticket is drawn each quantum, and the task that holds it runs.
options { quantum = 10,       -- ms: a slice
          draws = { 0 } }     -- used instead of the first random numbers; a list of one: none
machine_fields { drawn = 0 }

function enqueue(p)
    p.slice = option.quantum * ms
    ready:add_last(p)
end

function pick_next()
    local total, winner = 0, nil
    for p in ready:each() do total = total + p.tickets end
    if total == 0 then return idle end
    machine.drawn = machine.drawn + 1
    local given = #option.draws > 1 and option.draws[machine.drawn]
    local ticket = (given or random(total) - 1) % total
    because("it holds number {} of the {} tickets, which is drawn", ticket + 1, total)
    for p in tasks() do                       -- in the order of their numbers
        if p.queued and not winner then
            consider(p)
            if ticket < p.tickets then winner = p end
            ticket = ticket - p.tickets
        end
    end
    return winner
end
