fields { left = 0 }
function tick(p) p.lft = 3 end
