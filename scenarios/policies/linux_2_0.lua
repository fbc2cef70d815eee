-- Linux 2.0 on one CPU: the whole queue is searched for the highest goodness; counters are recalculated when all are 0.
options { yield = "original|one_tick|move_last_only",   -- what sched_yield() gives up: the slice, a tick, or nothing
          rt_wake_preempts = true }                     -- a real-time task that wakes always asks for a schedule()
highest "goodness"
keep_running_task_queued()

local function goodness(p, prev)
    if p.class ~= "other" then return 1000 + p.rt_priority end
    local weight = p.counter
    if weight > 0 and p == prev then weight = weight + 1 end
    return weight
end

function start(p) p.counter = p.priority end

function fork(parent, child)
    parent.counter = parent.counter >> 1   -- an odd tick is lost
    child.counter = parent.counter
end

function enqueue(p) ready:add_last(p) end

function preempts(p, current)
    if option.rt_wake_preempts and p.class ~= "other" then return true end
    return p.counter > current.counter + 3
end

function tick(p)
    p.counter = p.counter - 1
    if p.counter >= 0 then return false end   -- a slice of 20 lasts 21 ticks
    p.counter = 0
    return true
end

function yield(p)
    ready:move_last(p)
    if option.yield == "move_last_only" then return false end
    p.counter = option.yield == "original" and 0 or max(p.counter - 1, 0)
    return true
end

function pick_next(prev)
    if prev and prev.class == "rr" and prev.counter == 0 then
        prev.counter = prev.priority
        if prev.runnable then ready:move_last(prev) end
    end
    local best, most = nil, -1000
    for p in ready:each() do
        local weight = p.running and -1000 or goodness(p, prev)
        consider(p, weight)
        if weight > most then best, most = p, weight end   -- of equals, the first on the queue
    end
    if most == 0 then                                      -- and no second search
        for p in tasks() do refill(p, (p.counter >> 1) + p.priority) end
    end
    return best
end
