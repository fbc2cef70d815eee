// Why a task waits, in words; and what a CPU has loaded.
#pragma once

#include <string>

#include "ui/view/model.h"

namespace ui {

// What is waited for: "lock arena", "data in pipe p", "device disk", "channel jobs", "an unpark of gc".
std::string channel_words(const sim::ChannelSpec& spec);

// Why a task is not ready at the position: "for lock arena, held by ebr.3", "for device disk, 2nd in its
// queue", "for its timer, until 12.5 ms", "parked"; of one that has been woken and has to try again, "woken,
// tries again: lock arena". Empty for those that are simply ready or running, or have exited.
std::string waits_for(const Run& run, sim::TaskId p);

// What the page tables of a CPU are at the position: "borrows A's address space", "has A's address space
// loaded".
std::string loaded_words(const Run& run, sim::CpuId c);

}  // namespace ui
