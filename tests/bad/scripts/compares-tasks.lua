function pick_next()
    local a, b = ready:first(), ready:last()
    return a < b and a or b
end
