function tick(p)
    local t = {}
    for i = 1, 1 << 40 do t[i] = i end
end
