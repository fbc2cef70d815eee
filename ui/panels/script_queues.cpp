// Draws the queues of a policy script as named rows below the running tasks, such as the levels of mlfq, or
// one list per CPU.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/panels/chip_rows.h"
#include "ui/panels/drawing.h"
#include "ui/panels/queue_drawing.h"
#include "ui/view/text_table.h"

namespace ui {
namespace {

using sim::TaskId;

constexpr float kLeastChips = 2.5f;  // least width of a column, in chips

// The running tasks that are not on a queue while they run.
std::vector<TaskId> running_tasks_off_queue(const QueueView& queue) {
    std::vector<TaskId> tasks;
    for (const TaskId p : queue.running)
        if (!queue.machine->is_idle_task(p) && !queue.is_queued(p)) tasks.push_back(p);
    return tasks;
}

// The row of the running tasks. It may be empty although no CPU is idle, because in the middle of schedule()
// prev can already be back on a queue.
ChipRow running_tasks_row(const QueueView& queue, const std::vector<TaskId>& running) {
    const bool is_idle = std::all_of(queue.running.begin(), queue.running.end(),
                                     [&](TaskId p) { return queue.machine->is_idle_task(p); });
    return {queue.running.size() == 1 ? "cpu0" : "CPUs", running, true, is_idle ? "idle" : ""};
}

// The values of p that the script reports.
std::string numbers_of(const Run& run, const QueueMoment& moment, TaskId p) {
    return moment.machine->is_live(p) ? policy_at(run, moment).policy->scheduling_values(*moment.machine, p)
                                      : std::string();
}

struct ColumnPlan {
    std::size_t count, rows;
    float label;  // width of the labels of rows
    bool fit;
};

// Calculates the columns that these rows need, and measures the chips.
ColumnPlan column_plan(const QueueDrawingContext& d, ChipRows& chips, const std::vector<ChipRow>& rows) {
    ImFont* const sans = d.frame.fonts.sans;
    float label = 0;
    std::size_t longest = 1;
    for (const ChipRow& row : rows) {
        label = std::max(label, text_width(sans, row.label));
        longest = std::max(longest, row.tasks.size());
    }
    label = std::round(std::min(label + d.frame.px(12), d.room.x / 3));
    const float line = pixel_size(*sans) * 1.35f;
    const bool tight = d.room.y < 1.3f * line * static_cast<float>(rows.size());
    chips.choose_chip_size({d.room.y, d.room.x - label, rows.size(), longest, tight});
    const auto fitting = static_cast<std::size_t>(std::max(1.0f, d.room.y / chips.row_height()));
    const std::size_t count = std::max<std::size_t>((rows.size() + fitting - 1) / fitting, 1);
    const float width = (label + kLeastChips * chips.chip_width_with_gap()) * static_cast<float>(count);
    return {count, std::max<std::size_t>((rows.size() + count - 1) / count, 1), label,
            count == 1 || width <= d.room.x};
}

}  // namespace

void draw_script_queues(const QueueDrawingContext& d) {
    ChipRows chips(d,
                   {[&](TaskId p) { return numbers_of(d.run, d.moment, p); },
                    [&](TaskId p) {
                        const QueueTask task = queue_task(d.run, d.frame.view, d.queue, p);
                        return queue_task_details(d.run, task, d.queue, p);
                    }},
                   "queue");
    const std::vector<TaskId> running = running_tasks_off_queue(d.queue);
    std::vector<ChipRow> rows;
    if (!policy_at(d.run, d.moment).policy->keeps_running_task_queued())
        rows.push_back(running_tasks_row(d.queue, running));
    std::span<const TaskId> tasks = d.queue.tasks;
    for (const sim::Policy::QueuePart& part : d.queue.parts) {
        rows.push_back({part.name, tasks.first(part.tasks), false, "empty"});
        tasks = tasks.subspan(part.tasks);
    }

    // Uses as many columns as the rows need. If the columns do not fit, first omits the row of running tasks,
    // which the head of the pane also lists, and then the rows of empty queues.
    ColumnPlan columns = column_plan(d, chips, rows);
    if (!columns.fit && rows.front().lit) {
        rows.erase(rows.begin());
        columns = column_plan(d, chips, rows);
    }
    if (!columns.fit) {
        std::erase_if(rows, [](const ChipRow& row) { return row.tasks.empty(); });
        columns = column_plan(d, chips, rows);
        if (!columns.fit) columns = {1, std::max<std::size_t>(rows.size(), 1), columns.label, false};
    }
    Box column{d.origin, ImVec2(d.origin.x, d.origin.y + d.room.y)};
    for (std::span<const ChipRow> left = rows; !left.empty();
         left = left.subspan(std::min(columns.rows, left.size()))) {
        column.min.x = column.max.x;
        column.max.x += std::floor(d.room.x / static_cast<float>(columns.count));
        chips.place_rows(column, left.first(std::min(columns.rows, left.size())), columns.label);
    }
    chips.draw();
}

std::string script_queues_text(const Run& run, const ViewState& view, const QueueView& queue,
                               const QueueMoment& moment) {
    constexpr std::size_t kMost = 1000, kMostEmpty = 20;
    std::string text = queue.tasks.empty()
                           ? "the queues are empty\n"
                           : fmt::format("{} on the queues, from head to tail:\n", queue.tasks.size());
    TextTable table("llll");
    std::size_t next = 0, empty = 0, shown = 0;
    for (const sim::Policy::QueuePart& part : queue.parts) {
        if (part.tasks == 0 && ++empty <= kMostEmpty) table.add({part.name, "-", "", ""});
        for (const std::size_t end = next + part.tasks; next < end; ++next) {
            if (++shown > kMost) continue;
            const TaskId p = queue.tasks[next];
            table.add({part.name, queue_task(run, view, queue, p).name, numbers_of(run, moment, p),
                       queue_marker_text(queue, p)});
        }
    }
    text += table.text();
    if (shown > kMost) text += fmt::format("... {} more\n", shown - kMost);
    if (empty > kMostEmpty) text += fmt::format("{} more queues are empty\n", empty - kMostEmpty);
    return text;
}

}  // namespace ui
