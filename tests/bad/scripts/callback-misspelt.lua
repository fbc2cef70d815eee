fields { at = 1 }

function preempt(p, current)
    return p.at < current.at
end
