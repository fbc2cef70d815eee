// Reduces the memory of the process.
#pragma once

namespace ui {

// Returns freed memory to the operating system, if the C library supports that.
void return_freed_memory();

}  // namespace ui
