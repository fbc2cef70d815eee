function tick(p)
    if p.counter > 0 || p.counter < 3 then return end
end
