function tick(p) _G.left = 1 end
