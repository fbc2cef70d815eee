-- Linux 1.2 as a policy script: there is no run queue; all tasks, asleep or not, are searched for the highest counter.
highest "goodness"
keep_running_task_queued()

function start(p) p.counter = p.priority end
function fork(parent, child) child.counter = parent.counter >> 1 end   -- and the parent keeps all of its counter
function yield(p) return false end                                     -- this call does not exist yet
function preempts(p, current) return p.counter > current.counter + 3 end

function tick(p)
    p.counter = max(p.counter - 1, 0)
    return p.counter == 0                                              -- a slice of 20 lasts 20 ticks
end

function pick_next(prev)
    local best, most = nil, -1000
    for p in tasks() do
        local weight = p.runnable and p.counter or -1000
        consider(p, weight)
        local has_lower_pid = best and weight == most and p.pid < best.pid
        if weight > most or has_lower_pid then best, most = p, weight end
    end
    if most == 0 then                                                  -- and no second search
        for p in tasks() do refill(p, (p.counter >> 1) + p.priority) end
    end
    return best
end
