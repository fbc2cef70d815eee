function tick(p)
    local _, globals = pairs(_ENV)
    globals.n = 1
end
