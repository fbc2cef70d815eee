function tick(p)
    _ENV = {}
end
