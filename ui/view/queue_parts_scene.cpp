#include "ui/view/queue_parts_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ui/view/priority_arrays.h"

namespace ui {
namespace {

using sim::Machine;
using sim::TaskId;
using Row = QueuePartsScene::Row;

// A row of the queue with its tasks, from head to tail, in one state of the machine.
struct FilledRow {
    Row row;
    std::vector<TaskId> tasks;
};
using FilledRows = std::vector<FilledRow>;

bool is_same_row(const Row& a, const Row& b) { return a.name == b.name && a.array == b.array; }

FilledRows rows_of_arrays(const PriorityArrays& arrays) {
    FilledRows rows;
    for (std::size_t i = 0; i < arrays.arrays.size(); ++i)
        for (const PriorityList& list : arrays.arrays[i].lists)
            rows.push_back({{fmt::format("prio {}", list.prio), i}, list.tasks});
    return rows;
}

// The queues of a script. If running tasks are on no queue, the first row is the CPU.
FilledRows rows_of_script(const Cursor& c, const Machine& m) {
    const sim::Policy& policy = *c.policy().policy;
    FilledRows rows;
    const sim::CpuId cpu = c.decision().record.cpu;
    if (!policy.keeps_running_task_queued()) {
        const TaskId running = m.cpu(cpu).current;
        rows.push_back({{fmt::format("cpu{}", cpu), 0}, {}});
        if (!m.is_idle_task(running)) rows.front().tasks.push_back(running);
    }
    TaskId next = m.next_run[0];
    for (const sim::Policy::QueuePart& part : policy.queue_parts(m)) {
        FilledRow& row = rows.emplace_back(FilledRow{{part.name, 0}, {}});
        for (std::uint32_t i = 0; i < part.tasks && next != 0; ++i, next = m.next_run[next])
            row.tasks.push_back(next);
    }
    return rows;
}

// Adds the rows of `more` that `rows` does not have, each after the row that precedes it in `more`.
void add_rows(std::vector<Row>& rows, const FilledRows& more) {
    auto place = rows.begin();
    for (const FilledRow& filled : more) {
        const auto found = std::find_if(rows.begin(), rows.end(),
                                        [&](const Row& row) { return is_same_row(row, filled.row); });
        place = (found != rows.end() ? found : rows.insert(place, filled.row)) + 1;
    }
}

// Sorts the rows by array, and within an array by prio, the smallest prio first.
void sort_rows_of_arrays(std::vector<Row>& rows) {
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        if (a.array != b.array) return a.array < b.array;
        return a.name.size() != b.name.size() ? a.name.size() < b.name.size() : a.name < b.name;
    });
}

std::optional<std::pair<std::size_t, std::size_t>> place_of_task(const FilledRows& rows, TaskId p) {
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t i = 0; i < rows[row].tasks.size(); ++i)
            if (rows[row].tasks[i] == p) return std::pair{row, i};
    return std::nullopt;
}

// The rows during the search. They equal the rows after the decision, except that the chosen task is still at
// its position before the decision.
FilledRows rows_in_search(const FilledRows& before, FilledRows after, TaskId chosen) {
    const auto old = place_of_task(before, chosen);
    if (!old) return after;
    for (FilledRow& row : after) std::erase(row.tasks, chosen);
    const Row& home = before[old->first].row;
    auto row = std::find_if(after.begin(), after.end(),
                            [&](const FilledRow& filled) { return is_same_row(filled.row, home); });
    if (row == after.end()) row = after.insert(after.end(), FilledRow{home, {}});
    const std::size_t index = std::min(old->second, row->tasks.size());
    row->tasks.insert(row->tasks.begin() + static_cast<std::ptrdiff_t>(index), chosen);
    return after;
}

using Places = std::unordered_map<TaskId, QueuePartsScene::Place>;

Places places_in(const std::vector<Row>& rows, const FilledRows& filled) {
    Places places;
    for (const FilledRow& f : filled) {
        const auto row =
            std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return is_same_row(r, f.row); });
        for (std::size_t i = 0; i < f.tasks.size(); ++i)
            places[f.tasks[i]] = {static_cast<std::size_t>(row - rows.begin()), i};
    }
    return places;
}

std::optional<QueuePartsScene::Place> place_of(const Places& places, TaskId p) {
    const auto found = places.find(p);
    if (found == places.end()) return std::nullopt;
    return found->second;
}

}  // namespace

const QueuePartsScene::TaskChip* QueuePartsScene::find(TaskId p) const {
    const auto chip =
        std::find_if(chips.begin(), chips.end(), [p](const TaskChip& c) { return c.task == p; });
    return chip == chips.end() ? nullptr : &*chip;
}

std::size_t QueuePartsScene::row_length_during_search(std::size_t row) const {
    return static_cast<std::size_t>(std::count_if(
        chips.begin(), chips.end(), [row](const TaskChip& c) { return c.search && c.search->row == row; }));
}

std::string QueuePartsScene::row_text(std::size_t row) const {
    if (!has_arrays) return rows[row].name;
    return fmt::format("the list of {} in the {} array", rows[row].name,
                       rows[row].array == active_before ? "active" : "expired");
}

std::optional<QueuePartsScene> queue_parts_scene(const Cursor& c) {
    const sim::DecisionView& view = c.decision();
    QueuePartsScene scene;
    FilledRows before, after;
    const QueueMoment from{.cursor = std::nullopt, .phase = {}, .machine = &view.before},
        to{.cursor = std::nullopt, .phase = {}, .machine = &view.after};
    if (has_priority_arrays(c.run, to)) {
        const PriorityArrays first = priority_arrays(from, view.record.cpu),
                             last = priority_arrays(to, view.record.cpu);
        scene.has_arrays = true;
        scene.active_before = first.active;
        scene.active_after = last.active;
        before = rows_of_arrays(first);
        after = rows_of_arrays(last);
    } else if (c.policy().policy->queue_parts(view.after).size() > 1) {
        before = rows_of_script(c, view.before);
        after = rows_of_script(c, view.after);
    } else {
        return std::nullopt;
    }
    const FilledRows search = rows_in_search(before, after, view.record.task);
    const std::array<const FilledRows*, 3> states{&before, &search, &after};
    for (const FilledRows* rows : states) add_rows(scene.rows, *rows);
    if (scene.has_arrays) sort_rows_of_arrays(scene.rows);
    const Places old = places_in(scene.rows, before), searched = places_in(scene.rows, search),
                 now = places_in(scene.rows, after);
    // Adds the tasks in the order of the rows before the decision, followed by the tasks that the decision
    // has added.
    std::unordered_set<TaskId> seen;
    for (const FilledRows* rows : states)
        for (const FilledRow& row : *rows)
            for (const TaskId p : row.tasks)
                if (seen.insert(p).second)
                    scene.chips.push_back({p, place_of(old, p), place_of(searched, p), place_of(now, p)});
    return scene;
}

}  // namespace ui
