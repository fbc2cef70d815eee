// Returns memory that was used temporarily to the system.
#pragma once

namespace ui {

// Returns freed memory to the system, if the C library supports that.
void give_back_memory();

}  // namespace ui
