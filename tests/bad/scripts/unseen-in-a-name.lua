function tick(p)
    local count‍ = 1
    return true
end
