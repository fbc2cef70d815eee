// Memory that was needed for a moment, given back.
#pragma once

namespace ui {

// Gives the system what the program has freed, as far as the C library can.
void give_back_memory();

}  // namespace ui
