function tick(p) return ("a"):rep(1 << 40) end
