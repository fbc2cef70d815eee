-- First come, first served: whoever has the CPU keeps it until it sleeps or ends.
function enqueue(p) ready:add_last(p) end
