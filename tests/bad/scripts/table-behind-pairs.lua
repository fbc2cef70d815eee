local seen = { 1, 2 }
function tick(p)
    local step, same = pairs(seen)
    same[1] = same[1] + 1
end
