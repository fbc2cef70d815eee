options { quantum = 3 }
function tick(p) option.quantum = 4 end
