// Descriptions of the waits of tasks that are not runnable.
#pragma once

#include <string>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"

namespace sim {

// Describes a channel in words: "lock L", "data in pipe P".
std::string channel_words(const ChannelSpec& spec);

// The task that holds a lock: ", held by A". Empty if the lock is free, or if the channel is no lock.
std::string holder_text(const Machine& m, const Scenario& scenario, ChannelId lock);

// A clause about a task that is asleep or has exited: "sleeps until 20 ms", "waits for lock L, held by A",
// "has exited". Empty for a runnable task.
std::string not_runnable_text(const Machine& m, const Scenario& scenario, TaskId p);

}  // namespace sim
