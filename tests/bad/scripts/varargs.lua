local function go(n, ...)
    if n > 0 then return go(n - 1, 1, 1, 1, ...) end
end
