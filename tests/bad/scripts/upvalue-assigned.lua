local count = 0
function tick(p) count = count + 1 end
