function tick(p) count = 1 end
