// Selection of a task, a CPU and a time range, and the two measuring cursors.
#pragma once

#include <optional>

#include "ui/control/app_state.h"

namespace ui {

class Selection {
  public:
    explicit Selection(AppState& state) : state_(state) {}

    void select(std::optional<TimeRange> range) { state_.view.selection = range; }
    void select_task(std::optional<sim::TaskId> p) { state_.view.task = p; }
    void toggle_task(sim::TaskId p);
    void select_cpu(sim::CpuId cpu) { state_.view.cpu = cpu; }
    // `direction`: 1 selects the task or CPU below, -1 the one above. select_adjacent_task() skips tasks that
    // are not alive and stops at both ends of the list; select_adjacent_cpu() wraps around.
    void select_adjacent_task(int direction);
    void select_adjacent_cpu(int direction);
    void clear();  // clears the selected range and task
    void toggle_measuring_cursor(
        // Moves measuring cursor 'a' or 'b' to the position; removes it if it is already there.
        char cursor_name);

  private:
    AppState& state_;
};

}  // namespace ui
