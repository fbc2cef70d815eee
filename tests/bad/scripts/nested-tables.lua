local t = {}
for i = 1, 200 do t = { t } end
deep = t
