function tick(p) collectgarbage("stop") end
