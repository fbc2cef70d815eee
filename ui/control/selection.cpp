#include "ui/control/selection.h"

#include <fmt/format.h>

namespace ui {

using sim::Nanos;

void Selection::toggle_task(sim::TaskId p) {
    select_task(state_.view.task == p ? std::nullopt : std::optional<sim::TaskId>(p));
}

void Selection::clear() {
    select(std::nullopt);
    select_task(std::nullopt);
}

void Selection::select_adjacent_cpu(int direction) {
    if (!state_.is_open()) return;
    const sim::CpuId cpus = state_.a().scenario().cpus;
    state_.view.cpu = (selected_cpu(state_.a(), state_.view) + (direction > 0 ? 1 : cpus - 1)) % cpus;
    state_.say(cpus > 1 ? fmt::format("cpu{} is selected", state_.view.cpu)
                        : std::string("This machine has one CPU, cpu0."));
}

void Selection::select_adjacent_task(int direction) {
    if (!state_.is_open()) return;
    const sim::Machine& m = state_.a().session().machine();
    const sim::TaskId first = m.first_task(), end = m.globals().high_row;
    sim::TaskId p = state_.view.task.value_or(direction > 0 ? first - 1 : end);
    for (;;) {
        p = static_cast<sim::TaskId>(static_cast<int>(p) + direction);
        if (p < first || p >= end) return;
        if (m.is_live(p)) break;
    }
    state_.view.task = p;
}

void Selection::toggle_measuring_cursor(char cursor_name) {
    if (!state_.is_open()) return;
    std::optional<Nanos>& cursor = cursor_name == 'a' ? state_.view.cursor_a : state_.view.cursor_b;
    if (cursor == state_.a().now())
        cursor.reset();
    else
        cursor = state_.a().now();
}

}  // namespace ui
