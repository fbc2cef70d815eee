-- Priority scheduling, preemptive or not, with aging: a waiting task rises by one level in each interval.
options { first = "low|high",          -- the number that runs first: Silberschatz' text; or Tanenbaum
          preemptive = true,           -- whether a ready task of a higher level takes the CPU
          aging = 0,                   -- ms per level; 0: none
          quantum = 0,                 -- ms, among equals; 0: first come, first served
          equals = "first|last",       -- of equal levels, the first in the queue runs, or the last
          preempted = "tail|head" }    -- where a preempted task waits: Silberschatz; or POSIX, keeping its slice
fields { since = 0, yielded = 0 }
lowest "level"

local function level(p)
    local base = option.first == "low" and p.priority or -p.priority
    if option.aging == 0 or p.running then return base end
    return base - (now() - p.since) // (option.aging * ms)
end

function enqueue(p, why)
    local has_slice = option.quantum == 0 or p.slice > 0
    local stays_first = why == "preempted" and option.preempted == "head" and has_slice and p.yielded == 0
    p.since, p.yielded = now(), 0
    if stays_first then ready:add_first(p) else ready:add_last(p) end
    if not stays_first then p.slice = option.quantum * ms end
end

function preempts(p, current) return option.preemptive and level(p) < level(current) end

function yield(p)   -- to the tail, even with slice left
    p.yielded = 1
    return true
end

function tick(p)
    if option.aging == 0 or not option.preemptive then return false end
    for q in ready:each() do
        if level(q) < level(p) then return true end
    end
end

function pick_next()
    local best
    for p in ready:each() do
        consider(p, level(p))
        local ties = best and level(p) == level(best) and option.equals == "last"
        if not best or level(p) < level(best) or ties then best = p end
    end
    return best
end
