function tick(p)
    for key in pairs({ [p] = 1 }) do end
end
