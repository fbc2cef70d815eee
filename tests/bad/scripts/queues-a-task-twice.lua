function enqueue(p)
    ready:add_last(p)
    ready:add_last(p)
end
