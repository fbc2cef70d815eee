function tick(p) ready:add_last(p) end
