#include "ui/control/selection.h"

#include <fmt/format.h>

namespace ui {

using sim::Nanos;

void Selection::toggle_task(sim::TaskId p) {
    select_task(desk_.view.task == p ? std::nullopt : std::optional<sim::TaskId>(p));
}

void Selection::nothing() {
    select(std::nullopt);
    select_task(std::nullopt);
}

void Selection::next_cpu(int direction) {
    if (!desk_.is_open()) return;
    const sim::CpuId cpus = desk_.a().scenario().cpus;
    desk_.view.cpu = (selected_cpu(desk_.a(), desk_.view) + (direction > 0 ? 1 : cpus - 1)) % cpus;
    desk_.say(cpus > 1 ? fmt::format("cpu{} is selected", desk_.view.cpu)
                       : std::string("This machine has one CPU, cpu0."));
}

void Selection::next_task(int direction) {
    if (!desk_.is_open()) return;
    const sim::Machine& m = desk_.a().session().machine();
    const sim::TaskId first = m.first_task(), end = m.globals().high_row;
    sim::TaskId p = desk_.view.task.value_or(direction > 0 ? first - 1 : end);
    for (;;) {
        p = static_cast<sim::TaskId>(static_cast<int>(p) + direction);
        if (p < first || p >= end) return;
        if (m.is_live(p)) break;
    }
    desk_.view.task = p;
}

void Selection::set_cursor(char which) {
    if (!desk_.is_open()) return;
    std::optional<Nanos>& cursor = which == 'a' ? desk_.view.cursor_a : desk_.view.cursor_b;
    if (cursor == desk_.a().now())
        cursor.reset();
    else
        cursor = desk_.a().now();
}

}  // namespace ui
