function tick(p) _ENV["count"] = 1 end
