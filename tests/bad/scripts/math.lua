function tick(p)
    return math.floor(p.ran / ms) > 3
end
