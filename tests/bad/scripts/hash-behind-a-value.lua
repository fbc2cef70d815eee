local function two() return 2 end
function tick(p)
    return two#3.3 > 1
end
