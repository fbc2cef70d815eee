function enqueue(p)
    ready:push_last(p)
end
