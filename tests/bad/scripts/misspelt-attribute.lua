function tick(p) return p.conter == 0 end
