function tick(p) ready:each()("no queue", "no task") end
