function tick(p) p.counter = 1 << 40 end
