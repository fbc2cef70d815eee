function tick(p) pcall(error, "hidden") end
