function tick(p) debug.sethook() end
