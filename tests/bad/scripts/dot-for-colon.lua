function pick_next() return ready.first() end
