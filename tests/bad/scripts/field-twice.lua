fields { left = 0 }
fields { left = 1 }
