for i = 1, 60000 do options { ["a" .. i] = 1 } end
