other = queue()
ready = queue()
function enqueue(p) ready:add_last(p) end
function tick(p)
    if not ready:empty() then other:remove(ready:first()) end
end
