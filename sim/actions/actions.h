// Declarations of all actions. The file sim/actions/NAME.cpp defines one action or a pair, such as wait and
// wake. To add an action, write sim/actions/mine.cpp, declare the action here, and add it to the list in
// actions.cpp (docs/tutorials/add_an_action.md).
#pragma once

#include "sim/core/action.h"

namespace sim {

ActionInfo arrival_action();
ActionInfo arrival_at_action();
ActionInfo broadcast_action();
ActionInfo end_of_loop_action();
ActionInfo exec_action();
ActionInfo exit_action();
ActionInfo fork_action();
ActionInfo in_kernel_action();
ActionInfo io_action();
ActionInfo lock_action();
ActionInfo loop_action();
ActionInfo munmap_action();
ActionInfo park_action();
ActionInfo pipe_read_action();
ActionInfo pipe_write_action();
ActionInfo run_action();
ActionInfo signal_action();
ActionInfo sleep_action();
ActionInfo syscall_action();
ActionInfo timer_action();
ActionInfo unlock_action();
ActionInfo unpark_action();
ActionInfo wait_action();
ActionInfo wake_action();
ActionInfo yield_action();

}  // namespace sim
