-- Stride scheduling: the task with the lowest pass runs for a quantum, which adds its stride, 1 / tickets, to its pass.
options { quantum = 10,      -- ms: a slice
          big = 10000 }      -- a stride is big / tickets, a whole number, at least 1
fields { pass = 0 }
machine_fields { global_pass = 0 }   -- the pass of the task chosen last
lowest "pass"

function start(p) p.slice = option.quantum * ms end

function enqueue(p, why)
    local quantum = option.quantum * ms
    local used = quantum - p.slice                         -- a fraction adds that fraction of the stride, rounded up
    p.pass = p.pass + (max(option.big // p.tickets, 1) * used + quantum - 1) // quantum
    if why == "wake" then p.pass = max(p.pass, machine.global_pass) end            -- sleeping saves nothing up
    p.slice = quantum
    ready:insert(p, p.pass, p.pid)
end

function pick_next()
    local p = ready:first()
    if not p then return idle end
    consider(p, p.pass)
    machine.global_pass = p.pass
    return p
end
