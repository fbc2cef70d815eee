function pick_next()
    local first = ready:first()
    if #ready > 1 then ready:remove(ready:last()) end
    return first
end
