function tick(p) return True end
