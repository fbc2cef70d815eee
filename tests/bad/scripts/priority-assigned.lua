function tick(p) p.priority = 40 end
