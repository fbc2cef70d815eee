function enqueue(p, why) end
