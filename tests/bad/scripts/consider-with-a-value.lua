function pick_next()
    consider(ready:first(), 3)
    return ready:first()
end
