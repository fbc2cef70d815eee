function tick(p) error({}) end
