-- The round robin of this simulator as a policy script: a queue, and a quantum in ticks; the running task stays at the head.
options { quantum = 20 }  -- ticks
keep_running_task_queued()

local function begin(p) p.counter = option.quantum end

function start(p) begin(p) end
function fork(parent, child) begin(child) end

function enqueue(p)
    begin(p)
    ready:add_last(p)
end

function yield(p)
    begin(p)
    ready:move_last(p)
    return true
end

function tick(p)
    p.counter = p.counter - 1
    return p.counter <= 0 and yield(p)
end

function pick_next(prev)
    for p in ready:each() do
        consider(p)
        local runs_elsewhere = p.running
        if not runs_elsewhere and may_run(p) then return p end
    end
end
