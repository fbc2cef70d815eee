-- NAME: first come, first served, until you write something else.
--
-- A policy of your own. docs/reference/script_interface.md describes the functions and fields, on one screen. Try it:
--
--   switchyard run two-hogs --policy NAME.lua --until 2s
--   printf 'task A\ntask B\nstart\ntick 3\n' | switchyard step --policy NAME.lua --trace-script
--   switchyard-ui two-hogs --policy NAME.lua
--   switchyard grade NAME.lua --tests first-scheduler
--
-- The kernel calls the functions of this file. A missing function has a sensible default, so most policies have two or
-- three. Now this file has one: a task that becomes ready goes to the end of the queue, and the first of the queue runs
-- until it sleeps, yields or ends. The others are examples: remove the two dashes before the lines of an example, and
-- before those that it needs, and change it.

-- Options that the user can set, with --policy NAME.lua:quantum=5, and their defaults. Read as option.quantum.
--options { quantum = 10 }

-- The only state kept between calls is whole numbers: per task (p.left), per CPU (cpu.runs), and for the machine
-- (machine.boosts). Nothing else outlives a call: no global variable, no table.
--fields { left = 0 }
--cpu_fields { runs = 0 }
--machine_fields { boosts = 0 }

-- Queues of ready tasks. Without a declaration there is one, `ready`. The running task is on no queue.
--ready = queue()
--level = queues(3)   -- level[1], level[2], level[3]

-- p has become ready (why is "wake") or has lost the CPU and could continue ("preempted"). Put it on a queue:
-- add_last(p), add_first(p), insert(p, key) with the lowest key first.
function enqueue(p, why)
    ready:add_last(p)
end

-- p is new, or parent has forked child: set their initial values. Needs options and fields.
--function start(p)
--    p.left = option.quantum
--end
--function fork(parent, child)
--    child.left = option.quantum
--end

-- A timer interrupt has found p running. Return true to take the CPU from it. Needs options, fields and start.
--function tick(p)
--    p.left = p.left - 1
--    if p.left > 0 then return false end
--    p.left = option.quantum
--    return true
--end

-- p has used up p.slice, the CPU time in ns that it may use without a break. Return true to take the CPU from it. Needs
-- options, and a first slice, set in start or enqueue: p.slice = option.quantum * ms
--function slice_end(p)
--    p.slice = option.quantum * ms
--    return true
--end

-- p has become ready while current runs. Return true to take the CPU from current. This function must change nothing.
--function preempts(p, current)
--    return p.priority > current.priority
--end

-- p waits, on a machine with several CPUs. Return the CPU that must call schedule(), or nil. This function must change
-- nothing.
--function reschedule(p)
--    for cpu in cpus() do
--        if not cpu.current and may_run(p, cpu) then return cpu end
--    end
--end

-- p has called sched_yield(). Return true to take the CPU from it.
--function yield(p)
--    return true
--end

-- A display name for the value that pick_next() compares, if it compares any; see pick_next().
--highest "priority"

-- Which task runs next? prev ran until now, and is nil if the CPU was idle. Return a task, or idle. Report each visited
-- task and the compared value by consider(p, value): it is counted, charged and shown. Needs highest.
--function pick_next(prev, cpu)
--    local best
--    for p in ready:each() do
--        consider(p, p.priority)
--        if not best or p.priority > best.priority then best = p end
--    end
--    return best or idle
--end

-- p has exited; p is removed; p had another policy until now (needs options, fields); the priority of p has changed.
--function exit(p)
--end
--function reap(p)
--end
--function adopt(p)
--    p.left = option.quantum
--end
--function renice(p)
--    return true
--end
