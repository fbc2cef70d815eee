-- NAME: first come, first served, until you write something else.
--
-- A policy of your own. What there is for it is described in docs/script_interface.md, on one screen. Try it:
--
--   switchyard run two-hogs --policy NAME.lua --until 2s
--   printf 'task A\ntask B\nstart\ntick 3\n' | switchyard step --policy NAME.lua --lines
--   switchyard-ui two-hogs --policy NAME.lua
--   switchyard grade NAME.lua --tests first-scheduler
--
-- The kernel calls the functions of this file; one that is missing does what is sensible, so most policies have two or
-- three. As it stands, this file has one: whoever becomes ready goes to the end of the queue, and the first of the
-- queue runs until it sleeps, yields or ends. The others are examples: take away the two dashes before the lines of
-- one, and before those that it says it wants, and change it.

-- Numbers that can be chosen from outside, with --policy NAME.lua:quantum=5, and their defaults. Read as option.quantum.
--options { quantum = 10 }

-- All that is remembered from one call to the next are whole numbers: of each task (p.left), of each CPU (cpu.runs), of
-- the machine (machine.boosts). Nothing else outlives a call: no global variable, no table.
--fields { left = 0 }
--cpu_fields { runs = 0 }
--machine_fields { boosts = 0 }

-- Queues of ready tasks. Without any there is one, `ready`. The running task is on none.
--ready = queue()
--level = queues(3)   -- level[1], level[2], level[3]

-- p has become ready (why is "wake") or has lost the CPU and could go on ("preempted"). It has to go on a queue:
-- add_last(p), add_first(p), insert(p, key) with the lowest key first.
function enqueue(p, why)
    ready:add_last(p)
end

-- p has been made, or parent has forked child: what they begin with. Want options and fields.
--function start(p)
--    p.left = option.quantum
--end
--function fork(parent, child)
--    child.left = option.quantum
--end

-- A timer interrupt has found p running. Return true to take the CPU from it. Wants options, fields and start.
--function tick(p)
--    p.left = p.left - 1
--    if p.left > 0 then return false end
--    p.left = option.quantum
--    return true
--end

-- p has used up p.slice, the CPU time in ns that it may have at a stretch. Return true to take the CPU from it. Wants
-- options, and that somebody gives it its first slice, in start or enqueue: p.slice = option.quantum * ms
--function slice_end(p)
--    p.slice = option.quantum * ms
--    return true
--end

-- p has become ready while current runs. Return true to take the CPU from current. This function may only look.
--function preempts(p, current)
--    return p.priority > current.priority
--end

-- p waits, on a machine with several CPUs. Return the CPU that is to look at the queue, or nil. This function may only
-- look.
--function reschedule(p)
--    for cpu in cpus() do
--        if not cpu.current and may_run(p, cpu) then return cpu end
--    end
--end

-- p has called sched_yield(). Return true to take the CPU from it.
--function yield(p)
--    return true
--end

-- What pick_next() compares, in a word for people, if it compares anything; see there.
--highest "priority"

-- Who runs now? prev ran until now, and is nil if nobody did. Return a task, or idle. Tell with consider(p, value) whom
-- you look at, with what you compare: it is counted, has its price, and is shown. Wants highest.
--function pick_next(prev, cpu)
--    local best
--    for p in ready:each() do
--        consider(p, p.priority)
--        if not best or p.priority > best.priority then best = p end
--    end
--    return best or idle
--end

-- p has exited; p is forgotten; p had another policy until now (wants options, fields); the priority of p was changed.
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
