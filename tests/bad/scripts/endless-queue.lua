function pick_next()
    while not ready:empty() do
        local p = ready:first()
        ready:move_last(p)
    end
end
