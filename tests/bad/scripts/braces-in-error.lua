function tick(p)
    error("{} is not {}")
end
