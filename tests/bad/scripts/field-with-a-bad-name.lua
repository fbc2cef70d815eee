fields { ["left over"] = 0 }
