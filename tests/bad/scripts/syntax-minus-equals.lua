function tick(p)
    p.counter -= 1
end
