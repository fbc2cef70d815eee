function tick(p) error("\27[2J\27]0;owned\7") end
