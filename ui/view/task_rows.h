// The tasks of a run at its position, as table rows: filtered, sorted and formatted.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ui/view/model.h"

namespace ui {

// The columns from left to right. The name is first; after it, the columns whose values change most are at
// the left.
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
    const char* widest;  // widest text in the cells of the column
    bool is_number;
};
const TaskColumnInfo& info_of(TaskColumn column);

struct TaskOrder {
    TaskColumn column = TaskColumn::pid;
    bool descending = false;
    std::string filter;  // part of the name (case is ignored), or the pid

    bool operator==(const TaskOrder&) const = default;
};

// The tasks that pass the filter of `order`, sorted by its column; tasks with equal values are sorted by
// TaskId. Includes tasks that have exited, as long as no other task uses their row of the machine's task
// table.
std::vector<sim::TaskId> ordered_tasks(const Run& run, const TaskOrder& order);

// The column's title. The title of `counter` is the name of the value by which the policy ranks tasks.
std::string column_title(const Run& run, TaskColumn column);

// The text of a task's cell in a column.
std::string task_cell(const Run& run, sim::TaskId p, TaskColumn column);

}  // namespace ui
