local words = "a"
for i = 1, 7 do words = words .. "|" .. words end
options { how = words }
