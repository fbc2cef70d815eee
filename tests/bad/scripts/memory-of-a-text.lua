function tick(p)
    local s = "xxxxxxxxxxxxxxxx"
    for i = 1, 40 do s = s .. s end
end
