function enqueue(p) ready:insert(p, "first") end
