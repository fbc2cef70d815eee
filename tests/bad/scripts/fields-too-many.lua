for i = 1, 100 do fields { ["f" .. i] = 0 } end
