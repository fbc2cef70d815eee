options { quantum = 3 }
function tick(p) return option.quantm end
