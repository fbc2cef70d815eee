fields { n = 0 }
function preempts(p, current) p.n = 1 end
