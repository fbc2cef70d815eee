#include "ui/view/task_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include "sim/base/human_text.h"
#include "sim/core/summary.h"
#include "ui/view/format.h"
#include "ui/view/wait_words.h"

namespace ui {
namespace {

using sim::Machine;
using sim::TaskId;
using sim::TaskState;

constexpr std::array<TaskColumnInfo, kTaskColumns> kTaskColumnInfos{{
    {"Task", "the task's name, and its colour in every pane", "log-analyser.160", false},
    {"State",
     "running, ready for the CPU, sleeping until something arrives or its timer fires, waiting for another "
     "task, served by a device, or exited",
     "in service ", false},
    {"CPU", "the CPU on which the task runs, or ran last", "cpu63", false},
    {"Waits", "what the task waits for; for a lock, the task that holds it",
     "for lock arena, held by jvm.12, 4th in the queue", false},
    {"Counter",
     "remaining ticks of the task's slice; for later kernels, the prio, or vruntime minus min_vruntime in ms",
     "Counter", true},
    {"Priority", "the ticks that a recalculation adds for the task", "Priority", true},
    {"User", "the time of the task's own work", "99.9 ms", true},
    {"System", "the time of the task's system calls, and of the schedule() calls that it made", "99.9 ms",
     true},
    {"Ready", "the share of the time in which the task was ready but did not run", "99.99 %", true},
    {"Voluntary", "switches after which the task was no longer runnable", "Voluntary", true},
    {"Involuntary", "switches after which the task was still runnable: it was preempted, or it yielded",
     "Involuntary", true},
    {"Yields", "calls of sched_yield()", "9 999 999", true},
    {"Class", "SCHED_OTHER, SCHED_FIFO, SCHED_RR, SCHED_BATCH or SCHED_IDLE", "other", false},
    {"PID", "the task's process ID", "65 000", true},
}};

// Selects the tasks whose name contains the filter text or whose pid equals it. To save time, it compares the
// names of groups once. Tasks of groups that do not match are compared only if the text has a digit or a dot,
// because otherwise neither the task's number nor its pid can match.
class TaskFilter {
  public:
    TaskFilter(const sim::Scenario& scenario, const std::string& filter)
        : scenario_(scenario), wanted_(sim::lower_case(filter)) {
        for (const sim::TaskGroup& group : scenario.groups)
            groups_.push_back(wanted_.empty() ||
                              sim::lower_case(group.name).find(wanted_) != std::string::npos);
        by_number_ = std::any_of(wanted_.begin(), wanted_.end(),
                                 [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; });
    }

    bool passes(const Machine& m, TaskId p) const {
        if (groups_[m.task[p].group]) return true;
        if (!by_number_) return false;
        return sim::lower_case(scenario_.task_name(m, p)).find(wanted_) != std::string::npos ||
               fmt::format("{}", m.task[p].pid) == wanted_;
    }

  private:
    const sim::Scenario& scenario_;
    std::string wanted_;
    std::vector<bool> groups_;
    bool by_number_ = false;
};

// The rank of a task's state: awake tasks are before sleeping ones, and exited tasks are last.
int rank_of_state(const Machine& m, TaskId p) {
    const sim::Task& task = m.task[p];
    switch (task.state) {
        case TaskState::runnable:
            return task.processor == sim::Task::kNoProcessor ? 1 : 0;
        case TaskState::interruptible:
        case TaskState::on_timer:
            return 2;
        case TaskState::waiting:
        case TaskState::in_service:
            return 3;
        case TaskState::exited:
        case TaskState::unused:
            break;
    }
    return 4;
}

std::vector<std::int64_t> name_ranks_of_groups(const sim::Scenario& scenario) {
    std::vector<std::size_t> by_name(scenario.groups.size());
    std::iota(by_name.begin(), by_name.end(), std::size_t{0});
    std::sort(by_name.begin(), by_name.end(), [&](std::size_t a, std::size_t b) {
        return scenario.groups[a].name < scenario.groups[b].name;
    });
    std::vector<std::int64_t> ranks(by_name.size());
    for (std::size_t i = 0; i < by_name.size(); ++i) ranks[by_name[i]] = static_cast<std::int64_t>(i);
    return ranks;
}

// Returns, for each task, the alphabetical rank of the text that states why the task waits.
std::vector<std::int64_t> ranks_of_wait_causes(const Run& run) {
    const Machine& m = run.session().machine();
    std::vector<std::string> words(m.globals().high_row);
    for (TaskId p = m.first_task(); p < words.size(); ++p) words[p] = wait_reason_text(run, p);
    std::vector<std::string> sorted = words;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::int64_t> ranks;
    for (const std::string& w : words)
        ranks.push_back(std::lower_bound(sorted.begin(), sorted.end(), w) - sorted.begin());
    return ranks;
}

}  // namespace

const TaskColumnInfo& info_of(TaskColumn column) {
    return kTaskColumnInfos[static_cast<std::size_t>(column)];
}

std::vector<TaskId> ordered_tasks(const Run& run, const TaskOrder& order) {
    const Machine& m = run.session().machine();
    const std::vector<sim::TaskStatistics>& statistics = run.tasks();
    const std::vector<std::int64_t> groups =
        order.column == TaskColumn::name ? name_ranks_of_groups(run.scenario()) : std::vector<std::int64_t>{};
    const TaskFilter filter(run.scenario(), order.filter);

    const std::vector<std::int64_t> cause_ranks =
        order.column == TaskColumn::cause ? ranks_of_wait_causes(run) : std::vector<std::int64_t>{};
    const auto key = [&](TaskId p) -> std::int64_t {
        const sim::Task& task = m.task[p];
        const sim::TaskStatistics& s = statistics[p];
        switch (order.column) {
            case TaskColumn::name:
                return groups[task.group] << 32 | task.ordinal;
            case TaskColumn::state:
                return rank_of_state(m, p);
            case TaskColumn::cpu:
                return task.last_processor;
            case TaskColumn::cause:
                return cause_ranks.at(p);
            case TaskColumn::counter:
                return run.policy().policy->scheduling_key(m, p).order;
            case TaskColumn::priority:
                return m.priority[p];
            case TaskColumn::user:
                return s.user.count();
            case TaskColumn::system:
                return s.system.count();
            case TaskColumn::ready:
                return s.ready.count();
            case TaskColumn::voluntary:
                return static_cast<std::int64_t>(s.voluntary);
            case TaskColumn::involuntary:
                return static_cast<std::int64_t>(s.involuntary);
            case TaskColumn::yields:
                return static_cast<std::int64_t>(s.yields);
            case TaskColumn::sched_class:
                return static_cast<std::int64_t>(m.sched_class[p]) << 32 | m.rt_priority[p];
            case TaskColumn::pid:
                return task.pid;
        }
        return 0;
    };
    struct SortEntry {
        std::int64_t key;
        TaskId task;
    };
    std::vector<SortEntry> rows;
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (filter.passes(m, p)) rows.push_back({order.descending ? -key(p) : key(p), p});
    std::sort(rows.begin(), rows.end(), [](const SortEntry& a, const SortEntry& b) {
        return a.key != b.key ? a.key < b.key : a.task < b.task;
    });
    std::vector<TaskId> tasks;
    tasks.reserve(rows.size());
    for (const SortEntry& row : rows) tasks.push_back(row.task);
    return tasks;
}

namespace {

// The value as text, without the unit ms, which the column's description states.
std::string value_without_ms(const sim::Policy::SchedulingKey& key) {
    if (!key.value.ends_with(" ms")) return key.value;
    return fmt::format("{:+.1f}", static_cast<double>(key.order) / 1e6);
}

}  // namespace

std::string column_title(const Run& run, TaskColumn column) {
    const sim::Policy& policy = *run.policy().policy;
    if (column != TaskColumn::counter || policy.has_linux_counters()) return info_of(column).title;
    const Machine& m = run.session().machine();
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
        if (is_real_time(m.sched_class[p])) continue;  // real-time tasks may be ranked by another value
        return sim::capitalized(policy.scheduling_key(m, p).name);
    }
    return info_of(column).title;
}

std::string task_cell(const Run& run, TaskId p, TaskColumn column) {
    const Machine& m = run.session().machine();
    const sim::TaskStatistics& s = run.tasks()[p];
    switch (column) {
        case TaskColumn::name:
            return run.name(p);
        case TaskColumn::state:
            return sim::state_word(m, p);
        case TaskColumn::cpu:
            return m.task[p].last_processor == sim::Task::kNoProcessor
                       ? std::string{}
                       : fmt::format("cpu{}", m.task[p].last_processor);
        case TaskColumn::cause:
            return wait_reason_text(run, p);
        case TaskColumn::counter:
            return value_without_ms(run.policy().policy->scheduling_key(m, p));
        case TaskColumn::priority:
            return fmt::format("{}", m.priority[p]);
        case TaskColumn::user:
            return span(s.user);
        case TaskColumn::system:
            return span(s.system);
        case TaskColumn::ready:
            return percent(run.now() == sim::Nanos{} ? 0.0
                                                     : static_cast<double>(s.ready.count()) /
                                                           static_cast<double>(run.now().count()));
        case TaskColumn::voluntary:
            return group_digits(s.voluntary);
        case TaskColumn::involuntary:
            return group_digits(s.involuntary);
        case TaskColumn::yields:
            return group_digits(s.yields);
        case TaskColumn::sched_class:
            return !sim::is_real_time(m.sched_class[p])
                       ? std::string(sim::to_string(m.sched_class[p]))
                       : fmt::format("{} {}", sim::to_string(m.sched_class[p]), m.rt_priority[p]);
        case TaskColumn::pid:
            return fmt::format("{}", m.task[p].pid);
    }
    return {};
}

}  // namespace ui
