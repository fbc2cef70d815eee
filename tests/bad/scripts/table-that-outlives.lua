local seen = {}
function tick(p) seen[p.pid] = true end
