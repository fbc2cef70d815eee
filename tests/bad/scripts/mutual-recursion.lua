local ping, pong
function ping(n) return pong(n) end
function pong(n) return (ping(n)) end
function tick(p) return ping(1) end
