function pick_next()
    for p in tasks() do
        if not p.runnable then return p end
    end
    return ready:first()
end
