fields { half = 0 }
function tick(p) p.half = 0.5 end
