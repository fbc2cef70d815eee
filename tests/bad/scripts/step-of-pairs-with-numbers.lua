function tick(p)
    local step = pairs({})
    step(3, 4)
end
