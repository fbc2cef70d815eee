function pick_next()
    for i = 1, 1 << 62 do end
    return ready:first()
end
