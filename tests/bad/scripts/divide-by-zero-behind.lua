fields { zero = 0 }
function tick(p)
    local z = p.zero
    local n = 7
    n = n + 1
    n = n + 2
    local share = n // z
    return share > 1
end
