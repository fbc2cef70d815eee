-- Stride scheduling: whoever has the lowest pass runs for a quantum, which adds its stride, 1 / tickets, to its pass.
options { quantum = 10, big = 10000 }   -- ticks; a stride is big / tickets
fields { pass = 0, left = 0 }
machine_fields { pass = 0 }
lowest "pass"

function enqueue(p, why)
    if why == "wake" then p.pass = max(p.pass, machine.pass) end   -- who was away saves nothing up
    p.left = option.quantum
    ready:insert(p, p.pass, p.pid)
end

function tick(p)
    p.left = p.left - 1
    if p.left > 0 then return false end
    p.pass = p.pass + option.big // p.tickets
    return true
end

function pick_next()
    local p = ready:first()
    if not p then return nil end
    consider(p, p.pass)
    machine.pass = p.pass
    return p
end
