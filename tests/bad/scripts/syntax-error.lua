function tick(p)
    if p.counter = 0 then return true end
end
