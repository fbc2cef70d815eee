-- First come, first served: the running task keeps the CPU until it sleeps or ends.
function enqueue(p) ready:add_last(p) end
