-- who is‮ next
function tick(p) return true end
