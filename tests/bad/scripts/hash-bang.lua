#!/usr/bin/lua
function tick(p) return true end
