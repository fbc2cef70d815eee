fields { friend = 0 }
function tick(p) p.friend = p end
