function tick(p)
    for q in tasks() do
        if not q.runnable then ready:add_last(q) end
    end
end
