// The list of all actions, ordered by name.
#include "sim/actions/actions.h"

namespace sim {

std::span<const ActionInfo> actions() {
    static const std::vector<ActionInfo> list{
        arrival_action(), arrival_at_action(), broadcast_action(), end_of_loop_action(), exec_action(),
        exit_action(),    fork_action(),       in_kernel_action(), io_action(),          lock_action(),
        loop_action(),    munmap_action(),     park_action(),      pipe_read_action(),   pipe_write_action(),
        run_action(),     signal_action(),     sleep_action(),     syscall_action(),     timer_action(),
        unlock_action(),  unpark_action(),     wait_action(),      wake_action(),        yield_action()};
    return list;
}

}  // namespace sim
