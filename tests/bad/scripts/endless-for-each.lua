function pick_next()
    for i = 1, math_huge or 1 << 62 do end
    return ready:first()
end
