function tick(p)
    if p.counter != 0 then return end
end
