-- Feedback: whoever uses up a quantum goes one level down; the first of the highest level runs.
options { quantum = 1,        -- ticks, on the first level
          doubling = false,   -- twice as many on each level below
          levels = 16 }
fields { at = 1, left = 0 }
level = queues(option.levels)

local function quantum(p)
    return option.doubling and option.quantum << (p.at - 1) or option.quantum
end

function enqueue(p, why)
    if p.left == 0 then p.left = quantum(p) end
    level[p.at]:add_last(p)
end

function tick(p)
    p.left = p.left - 1
    if p.left > 0 then return false end
    if machine.nr_running > 1 and p.at < #level then p.at = p.at + 1 end  -- who is alone stays
    p.left = quantum(p)
    return true
end
