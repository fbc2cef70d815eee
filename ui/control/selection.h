// What is selected: a task, a CPU, a stretch of time; and the two cursors to measure between.
#pragma once

#include <optional>

#include "ui/control/desk.h"

namespace ui {

class Selection {
  public:
    explicit Selection(Desk& desk) : desk_(desk) {}

    void select(std::optional<TimeRange> range) { desk_.view.selection = range; }
    void select_task(std::optional<sim::TaskId> p) { desk_.view.task = p; }
    // Selects this task, or none when it is selected already.
    void toggle_task(sim::TaskId p);
    void select_cpu(sim::CpuId cpu) { desk_.view.cpu = cpu; }
    // +1: the one below, -1: the one above. Tasks that are not alive are skipped, and there is an end; the
    // CPUs go round.
    void next_task(int direction);
    void next_cpu(int direction);
    void nothing();               // neither a stretch of time nor a task
    void set_cursor(char which);  // 'a' or 'b', at the position; the same place again takes it away

  private:
    Desk& desk_;
};

}  // namespace ui
