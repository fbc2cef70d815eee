big = {}
for i = 1, 1 << 40 do big[i] = { i } end
