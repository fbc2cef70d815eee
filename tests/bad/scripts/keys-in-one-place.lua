function tick(p)
    local t = {}
    for i = 1, 65536 do t[i * 131071] = 1 end
    t[-131071] = 1
    return true
end
