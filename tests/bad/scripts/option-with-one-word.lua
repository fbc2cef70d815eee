options { tie = "first" }
