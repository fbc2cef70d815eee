-- Lua compares such texts piece by piece, and counts one instruction.
local a = "all the same \u{0}\x00\0" .. "\z
           but the end"
