// Texts that state why a task waits, and which address space a CPU has loaded.
#pragma once

#include <string>

#include "sim/explain/wait_text.h"
#include "ui/view/model.h"

namespace ui {

using sim::channel_words;

// The reason why a task is not ready at the run's position: "for lock arena, held by ebr.3", "for device
// disk, 2nd in the device's queue", "for its timer, until 12.5 ms", "parked". For a woken task that must
// retry: "woken, tries again: lock arena". Empty for other ready and running tasks, and for tasks that have
// exited.
std::string wait_reason_text(const Run& run, sim::TaskId p);

// The address space that a CPU has loaded at the run's position, in words: "borrows A's address space", "has
// A's address space loaded".
std::string loaded_mm_text(const Run& run, sim::CpuId c);

}  // namespace ui
