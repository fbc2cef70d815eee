-- The multi-level feedback queue of OSTEP: who uses up an allotment goes down; in every boost all go up again.
options { quantum = { 10, 10, 10 },   -- ticks of a slice, from the top level down
          allotment = { 1, 1, 1 },    -- slices on a level
          boost = 0,                  -- ticks; 0: never
          stay = false,               -- sleeping renews slice and allotment (the old rule 4b)
          io_bump = false }           -- who comes back from a sleep goes to the front
fields { at = 1, left = 0, slices = 0, over = 0 }
machine_fields { boosts = 0 }
level, arrived, returned = queues(#option.quantum), queue(), queue()

local function renew(p, at) p.at, p.left, p.slices = at, option.quantum[at], option.allotment[at] end
local function boosts() return option.boost == 0 and 0 or ticks() // option.boost end

function start(p) renew(p, 1) end
function fork(parent, child) renew(child, 1) end

function enqueue(p, why)
    if why == "wake" then   -- who comes at this instant stands behind all others, who returns last
        if p.ran > 0 then returned:add_last(p) else arrived:add_last(p) end
    elseif p.over == 1 then level[p.at]:add_last(p)
    else level[p.at]:add_first(p) end
    p.over = 0
end

function preempts() return true end

function yield(p)
    p.over = 1
    return true
end

function tick(p)
    p.left = p.left - 1
    p.over = p.left == 0 and 1 or 0
    if option.stay and p.remaining == 0 then renew(p, p.at) end   -- it goes to sleep now
    if p.over == 1 then
        p.left, p.slices = option.quantum[p.at], p.slices - 1
        if p.slices == 0 and p.at < #level then renew(p, p.at + 1) end
    end
    return p.over == 1 or boosts() > machine.boosts
end

function pick_next()
    if boosts() > machine.boosts then
        machine.boosts = boosts()
        for i = #level, 2, -1 do level[1]:append(level[i]) end
        for p in tasks() do renew(p, 1) end
    end
    level[1]:append(arrived)
    while not returned:empty() do
        local p = returned:first()
        returned:remove(p)
        if option.io_bump then level[p.at]:add_first(p) else level[p.at]:add_last(p) end
    end
    for i = 1, #level do
        if not level[i]:empty() then return level[i]:first() end
    end
end
