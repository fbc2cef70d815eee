function tick(p)
    local list
    while true do list = { list, 1, 2, 3, 4, 5, 6, 7, 8, 9 } end
end
