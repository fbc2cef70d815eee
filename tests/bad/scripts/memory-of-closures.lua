function tick(p)
    local list
    while true do
        local before = list
        list = function() return before end
    end
end
