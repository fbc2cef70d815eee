function tick(p) return 1 // 0 end
