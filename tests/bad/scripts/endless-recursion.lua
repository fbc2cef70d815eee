local function down(n) return 1 + down(n + 1) end
function tick(p) return down(1) > 0 end
