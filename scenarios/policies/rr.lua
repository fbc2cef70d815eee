-- Round robin: the first of the queue runs, for a quantum; then it goes to the end.
options { quantum = 20 }  -- ticks
fields { left = 0 }

function enqueue(p)
    p.left = option.quantum
    ready:add_last(p)
end

function tick(p)
    p.left = p.left - 1
    return p.left <= 0
end
