local function round(n) return round(n + 1) end
function tick(p) return round(1) end
