local level = { { 0 }, { 0 } }
function tick(p) level[2][1] = 7 end
