-- The multi-level feedback queue of OSTEP: who uses up an allotment goes down; in every boost all go up again.
options { quantum = { 10, 10, 10 },   -- ms of a slice, from the top level down
          allotment = { 1, 1, 1 },    -- slices on a level, from the top down
          boost = 0,                  -- ms from one boost to the next; 0: there is none
          stay = false,               -- a sleep renews slice and allotment: the old rule 4b, mlfq.py -S
          io_bump = false }           -- who comes back from a sleep goes to the front: mlfq.py -I
fields { at = 1, slices = 0 }
machine_fields { boosts = 0 }
level, came = queues(#option.quantum), queue()

local function renew(p, at) p.at, p.slice, p.slices = at, option.quantum[at] * ms, option.allotment[at] end
local function boosts() return option.boost == 0 and 0 or now() // (option.boost * ms) end

local function join(p, to_front, has_slept)
    local used_up = p.slice == 0
    if option.stay and has_slept then renew(p, p.at) end
    if used_up then p.slice, p.slices = option.quantum[p.at] * ms, p.slices - 1 end
    if p.slices == 0 and p.at < #level then renew(p, p.at + 1) end                    -- rule 4
    if to_front then level[p.at]:add_first(p) else level[p.at]:add_last(p) end
end

function start(p) renew(p, 1) end                              -- rule 3

function enqueue(p, why)
    if why == "preempted" then join(p, p.slice > 0, false)
    else came:insert(p, min(p.ran, 1)) end                     -- new ones before those that slept
end

function preempts() return true end                            -- whether it is above, pick_next() sees
function tick() return boosts() > machine.boosts end
function yield(p) p.slice = 0; return true end

function pick_next()
    if boosts() > machine.boosts then                          -- rule 5
        machine.boosts = boosts()
        for i = #level, 2, -1 do level[1]:append(level[i]) end
        for p in tasks() do renew(p, 1) end
    end
    while not came:empty() do                                  -- behind whose slice has ended at this instant
        local p = came:first()
        came:remove(p)
        join(p, option.io_bump and p.ran > 0, p.ran > 0)
    end
    for i = 1, #level do                                       -- rules 1 and 2
        if not level[i]:empty() then return level[i]:first() end
    end
end
