-- OSTEP's multi.py, one queue for all CPUs: slices end on all CPUs at once, at the multiples of a quantum.
options { quantum = 10 }  -- ms

-- The first idle CPU below that number that p may use; a task that is about to leave its CPU goes there.
local function idle_cpu_before(p, number)
    for cpu in cpus() do
        if cpu.number < number and not cpu.current and not cpu.need_resched and may_run(p, cpu) then
            return cpu
        end
    end
end

function reschedule(p)
    return idle_cpu_before(p, machine.cpus)
end

function pick_next(prev, here)
    for p in ready:each() do
        consider(p)
        if may_run(p) and not idle_cpu_before(p, here.number) then
            p.slice = option.quantum * ms - now() % (option.quantum * ms)
            return p
        end
    end
    return idle
end
