function tick(p) print(p.pid) end
