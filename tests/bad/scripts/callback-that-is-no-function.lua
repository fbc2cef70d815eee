tick = 3
