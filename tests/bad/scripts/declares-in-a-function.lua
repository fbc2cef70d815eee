function tick(p) fields { late = 0 } end
