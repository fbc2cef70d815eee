function tick(p)
    function tick(q) return true end
end
