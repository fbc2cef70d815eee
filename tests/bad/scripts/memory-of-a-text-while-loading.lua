local s = "ten letters"
for i = 1, 60 do s = s .. s end
