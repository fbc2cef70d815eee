function tick(p) return 1 + nil end
