function pick_next()
    for p in ready:each() do ready:remove(p) end
end
