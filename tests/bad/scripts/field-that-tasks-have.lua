fields { priority = 0 }
