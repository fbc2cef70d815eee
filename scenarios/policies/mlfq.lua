-- The multi-level feedback queue of OSTEP: a task that uses up an allotment goes down; in every boost all go up again.
options { quantum = { 10, 10, 10 },   -- ms of a slice, from the top level down
          allotment = { 1, 1, 1 },    -- slices on a level, from the top down; 1 for levels without a value
          boost = 0,                  -- ms from one boost to the next; 0: no boost
          stay = false,               -- a sleep renews slice and allotment: the old rule 4b, mlfq.py -S
          io_bump = false }           -- a task goes to the front after a sleep: mlfq.py -I
fields { at = 1, slices = 0, slept = 0 }   -- its level, the slices left there; 1: it has slept
machine_fields { boosts_done = 0 }
level, came = queues(#option.quantum), queue()

local function renew(p, at) p.at, p.slice, p.slices = at, option.quantum[at] * ms, option.allotment[at] or 1 end
local function boosts_due() return option.boost == 0 and 0 or now() // (option.boost * ms) end

local function join(p, to_front)
    local used_up = p.slice == 0
    if option.stay and p.slept == 1 then renew(p, p.at) end
    if used_up then p.slice, p.slices = option.quantum[p.at] * ms, p.slices - 1 end
    if p.slices == 0 and p.at < #level then renew(p, p.at + 1) end                    -- rule 4
    if to_front then level[p.at]:add_first(p) else level[p.at]:add_last(p) end
end

function start(p) renew(p, 1) end                              -- rule 3

function enqueue(p, why)
    p.slept = why == "wake" and p.ran > 0 and 1 or 0
    -- New tasks before those that slept; a preempted task with slice left stays first.
    if why == "wake" then came:insert(p, p.slept) else join(p, p.slice > 0) end
end

function preempts() return true end                            -- asks for schedule(): pick_next() finds the highest
function tick() return boosts_due() > machine.boosts_done end
function yield(p) p.slice = 0; return true end

function pick_next()
    if boosts_due() > machine.boosts_done then                 -- rule 5
        machine.boosts_done = boosts_due()
        for i = #level, 2, -1 do level[1]:append(level[i]) end
        for p in tasks() do renew(p, 1) end
    end
    while not came:empty() do                                  -- after a task whose slice ends now
        local p = came:first(); came:remove(p)
        join(p, option.io_bump and p.slept == 1)
    end
    for i = 1, #level do                                       -- rules 1 and 2
        because("it is first on level {}, the highest level with a task", i)
        if not level[i]:empty() then return level[i]:first() end
    end
end
