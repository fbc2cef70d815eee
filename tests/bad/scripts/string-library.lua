function tick(p) return string.find("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", ".-.-.-.-.-.-.-b") end
