function tick(p) setmetatable(p, {}) end
