// The tasks of a run at its position, as the rows of a table: filtered, sorted, written out.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ui/view/model.h"

namespace ui {

// In the order of the table, from the left: what changes first, what never does last.
enum class TaskColumn : std::uint8_t {
    name,
    state,
    cpu,
    cause,
    counter,
    priority,
    user,
    system,
    ready,
    voluntary,
    involuntary,
    yields,
    sched_class,
    pid
};
inline constexpr std::size_t kTaskColumns = 14;

struct TaskColumnInfo {
    const char* title;
    const char* meaning;
    const char* widest;  // a text as wide as they get
    bool is_number;
};
const TaskColumnInfo& info_of(TaskColumn column);

struct TaskOrder {
    TaskColumn column = TaskColumn::pid;
    bool descending = false;
    std::string filter;  // a part of the name, in capitals or not, or the pid

    bool operator==(const TaskOrder&) const = default;
};

// The rows of the task table that have ever been used and pass the filter, in this order; equal ones by
// TaskId.
std::vector<sim::TaskId> ordered_tasks(const Run& run, const TaskOrder& order);

// What stands above a column: its title, or where the run's policy knows tasks by another number than the
// counter, what that one is called.
std::string column_title(const Run& run, TaskColumn column);

// What stands in a cell.
std::string task_cell(const Run& run, sim::TaskId p, TaskColumn column);

}  // namespace ui
