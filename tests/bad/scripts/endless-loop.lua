function tick(p)
    while true do end
end
