options { quantum = -1 }
