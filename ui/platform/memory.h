// Memory that was needed for a moment, given back.
#pragma once

#include <new>

namespace ui {

// Gives the system what the program has freed, as far as the C library can.
void give_back_memory();

// Has ImGui throw std::bad_alloc where there is no memory, as all else does: it would go on without it.
// To be called before its context is made.
void refuse_without_memory();

}  // namespace ui
