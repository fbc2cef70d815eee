function pick_next()
    repeat local p = ready:first() until not p
end
