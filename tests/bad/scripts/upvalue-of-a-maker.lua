local function maker()
    local n = 0
    return function() n = n + 1 return n > 3 end
end
tick = maker()
