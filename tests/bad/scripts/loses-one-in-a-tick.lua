function tick(p)
    if not ready:empty() then ready:remove(ready:first()) end
end
