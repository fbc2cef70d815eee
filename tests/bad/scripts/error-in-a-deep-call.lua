local function c() error("at the bottom") end
local function b() c() end
local function a() b() end
function tick(p)
    a()
end
