local t = now()
