local strings = getmetatable("")
