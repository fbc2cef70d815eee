fields { left = "none" }
