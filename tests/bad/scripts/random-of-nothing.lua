function tick(p) return random(0) == 0 end
