function tick(p)
    return true
