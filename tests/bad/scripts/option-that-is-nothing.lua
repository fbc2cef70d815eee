options { quantum = function() end }
