local best
function tick(p)
    local function keep(q)
        best = q
    end
    keep(p)
end
