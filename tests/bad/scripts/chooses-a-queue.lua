function pick_next() return ready end
