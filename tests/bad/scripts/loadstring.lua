function tick(p) loadstring("return 1")() end
