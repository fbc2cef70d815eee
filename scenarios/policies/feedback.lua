-- Feedback: a task that uses up a quantum goes one level down; the first task of the highest level runs.
options { quantum = 1,                    -- ms, on the first level
          doubling = false,               -- twice the quantum on each lower level
          levels = 16,                    -- the lowest one is round robin
          alone = "stays|goes_down" }     -- a task without a rival at the end of its slice: Stallings' table, or his text
fields { at = 1 }
level = queues(option.levels)

function enqueue(p)
    local quantum = option.doubling and option.quantum << (p.at - 1) or option.quantum
    p.slice = quantum * ms
    level[p.at]:add_last(p)
end

function slice_end(p)
    local stays = option.alone == "stays" and machine.nr_running == 1
    if p.at < #level and not stays then p.at = p.at + 1 end
    return true
end
