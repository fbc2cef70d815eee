function pick_next() end
