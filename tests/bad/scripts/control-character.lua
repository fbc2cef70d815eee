lowest "time [31m
"
