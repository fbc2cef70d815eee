#include "sim/scenario/tasks_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "sim/base/units.h"
#include "sim/core/action.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

// Number of additional rows of the task table, for forked tasks, if the scenario does not specify
// "max_tasks".
constexpr std::uint32_t kForkRoom = 1'000;

// The values of "program" and "burst" of a task group; null if absent. A valid task group has exactly one of
// them, which defines what the group executes.
struct ProgramOrBurst {
    const JsonValue *program = nullptr, *burst = nullptr;
};

class TaskGroupReader {
  public:
    // `mms` contains the shared address spaces, by name.
    TaskGroupReader(ScenarioBuilder& draft, std::map<std::string, MmId>& mms)
        : draft_(draft), values_(draft.values), problems_(draft.problems), mms_(mms) {}

    // Reads a task group without its program.
    ProgramOrBurst read(const JsonValue& task) {
        const auto index = static_cast<std::uint32_t>(draft_.scenario.groups.size());
        TaskGroup& group = draft_.scenario.groups.emplace_back();
        const JsonValue *priority = nullptr, *nice = nullptr, *sched_class = nullptr, *rt_priority = nullptr,
                        *affinity = nullptr, *working_set = nullptr, *start = nullptr, *arrival = nullptr;
        ProgramOrBurst content;
        const ValueReader::ObjectReadResult read = values_.object(
            task, {{"name", [&](const JsonValue& v) { read_name(v, group, index); },
                    "\"name\" is missing: the name of the task"},
                   {"count", [&](const JsonValue& v) { group.count = values_.count(v, 0, kMaxTasks); }},
                   {"start", start},
                   {"arrival", arrival},
                   {"mm", [&](const JsonValue& v) { read_mm(v, group); }},
                   {"priority", priority},
                   {"nice", nice},
                   {"class", sched_class},
                   {"rt_priority", rt_priority},
                   {"affinity", affinity},
                   {"working_set", working_set},
                   {"deadline", [&](const JsonValue& v) { group.deadline = values_.time(v, 1ns); }},
                   {"tickets", [&](const JsonValue& v) { read_tickets(v, group); }},
                   {"burst", content.burst},
                   {"program", content.program}});
        if (!read) return {};
        if (start != nullptr && arrival != nullptr)
            problems_.add(*arrival, "specify \"arrival\" or \"start\", not both", true);
        if (start != nullptr || arrival != nullptr)
            group.start = values_.time(start != nullptr ? *start : *arrival);
        if (affinity != nullptr) read_affinity(*affinity, group);
        if (working_set != nullptr) group.working_set = values_.byte_size(*working_set, 0, kLargestSize);
        read_priority(priority, nice, group);
        read_class(task, sched_class, rt_priority, group);
        return content;
    }

  private:
    void read_name(const JsonValue& value, TaskGroup& group, std::uint32_t index) {
        group.name = values_.name(value);
        if (!group.name.empty() && !draft_.groups.emplace(group.name, index).second)
            problems_.add(value, fmt::format("duplicate task name '{}'", group.name));
        if (group.name == "idle") problems_.add(value, "'idle' is reserved for the idle task");
    }

    void read_tickets(const JsonValue& value, TaskGroup& group) {
        group.tickets = static_cast<std::int32_t>(values_.integer(value, 1, 1'000'000));
    }

    void read_mm(const JsonValue& value, TaskGroup& group) {
        if (value.is_null()) {
            group.mm = TaskGroup::MmKind::kernel;
        } else if (value.is_string()) {
            group.mm = TaskGroup::MmKind::shared;
            const std::string mm = values_.name(value);
            group.shared_mm = mms_.emplace(mm, static_cast<MmId>(mms_.size() + 1)).first->second;
        } else {
            problems_.add(value, "expected a name shared by threads, or null for a kernel thread, got " +
                                     kind_of(value));
        }
    }

    void read_affinity(const JsonValue& list, TaskGroup& group) {
        if (!list.is_array() || list.size() == 0) {
            problems_.add(list, "expected a list of CPUs, like [0, 1], got " +
                                    (list.is_array() ? std::string("an empty list") : text_in_message(list)));
            return;
        }
        const std::uint32_t cpus = draft_.scenario.cpus;
        group.affinity = 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), kMaxCpus); ++i) {
            const std::int64_t cpu = values_.integer(list[i], 0, kMaxCpus - 1);
            if (cpu < cpus)
                group.affinity |= std::uint64_t{1} << cpu;
            else
                problems_.add(
                    list[i],
                    fmt::format("there is no CPU {}: \"cpus\" is {}, and the first CPU is 0", cpu, cpus));
        }
        if (list.size() > kMaxCpus) problems_.add(list, fmt::format("expected at most {} CPUs", kMaxCpus));
    }

    void read_priority(const JsonValue* priority, const JsonValue* nice, TaskGroup& group) {
        if (priority != nullptr) {
            group.priority = static_cast<std::int32_t>(values_.integer(*priority, 1, 40));
            group.has_priority = true;
        }
        if (nice != nullptr) {
            if (group.has_priority) problems_.add(*nice, "specify \"nice\" or \"priority\", not both", true);
            // setpriority() of Linux 2.0: priority = 20 - nice, at least 1.
            group.priority = std::max(20 - static_cast<std::int32_t>(values_.integer(*nice, -20, 20)), 1);
            group.has_priority = group.has_nice = true;
        }
    }

    void read_class(const JsonValue& task, const JsonValue* sched_class, const JsonValue* rt_priority,
                    TaskGroup& group) {
        if (sched_class != nullptr) {
            const std::size_t before = problems_.count();
            group.sched_class = values_.choice<SchedClass>(*sched_class, {{"other", SchedClass::other},
                                                                          {"fifo", SchedClass::fifo},
                                                                          {"rr", SchedClass::rr},
                                                                          {"batch", SchedClass::batch},
                                                                          {"idle", SchedClass::idle}});
            group.has_class = true;
            // The class is invalid, so rt_priority is not checked.
            if (problems_.count() > before) return;
        }
        const bool real_time = is_real_time(group.sched_class);
        if (rt_priority == nullptr) {
            if (real_time)
                problems_.add(task,
                              "\"rt_priority\" (1 to 99) is missing; classes \"fifo\" and \"rr\" need it");
        } else if (!real_time) {
            problems_.add(*rt_priority, "only a task of class \"fifo\" or \"rr\" has an rt_priority", true);
        } else {
            group.rt_priority = static_cast<std::int32_t>(values_.integer(*rt_priority, 1, 99));
        }
    }

    ScenarioBuilder& draft_;
    ValueReader& values_;
    Problems& problems_;
    std::map<std::string, MmId>& mms_;
};

// Changes every link to the end of an endless loop into a link to the start of the loop's body.
void skip_ends_of_endless_loops(Scenario& scenario) {
    const std::uint8_t end = action_index("end of loop");
    auto& steps = scenario.steps;
    const auto skip = [&](StepId& link) {
        // The `while` loop terminates, because the loader rejects empty endless loops.
        while (steps[link].action == end && steps[link].count == kForever) link = steps[link].target;
    };
    for (Step& step : steps) {
        skip(step.next);
        if (step.action == end || step.action == action_index("loop")) skip(step.target);
    }
}

// Whether a task may exec programs forever. The function starts with the set of all programs, and repeatedly
// removes a program that execs no program of the set. If programs are left, their exec steps form a cycle.
bool has_exec_cycle(const Scenario& scenario) {
    const std::size_t entries = scenario.groups.size();
    std::vector<std::vector<std::uint32_t>> leads_here(entries);
    std::vector<std::uint32_t> leads_on(entries, 0);
    const std::uint8_t exec = action_index("exec");
    for (std::uint32_t i = 0; i < entries; ++i) {
        const StepId end =
            i + 1 < entries ? scenario.groups[i + 1].program : static_cast<StepId>(scenario.steps.size());
        for (StepId step = scenario.groups[i].program; step < end; ++step) {
            if (scenario.steps[step].action != exec) continue;
            leads_here[scenario.steps[step].target].push_back(i);
            ++leads_on[i];
        }
    }
    std::vector<std::uint32_t> gone;
    for (std::uint32_t i = 0; i < entries; ++i)
        if (leads_on[i] == 0) gone.push_back(i);
    for (std::size_t n = 0; n < gone.size(); ++n)
        for (const std::uint32_t i : leads_here[gone[n]])
            if (--leads_on[i] == 0) gone.push_back(i);
    return gone.size() < entries;
}

}  // namespace

void read_tasks(ScenarioBuilder& draft, const JsonValue& tasks) {
    Problems& problems = draft.problems;
    Scenario& scenario = draft.scenario;
    // The names of all task groups are read first, so that a program may fork a task group that is
    // described later.
    std::map<std::string, MmId> mms;
    TaskGroupReader reader(draft, mms);
    std::vector<ProgramOrBurst> contents;
    for (const JsonValue* task : tasks.children()) contents.push_back(reader.read(*task));
    scenario.shared_mms = static_cast<MmId>(mms.size());
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
        if (!tasks[i].is_object()) continue;
        scenario.groups[i].program = static_cast<StepId>(scenario.steps.size());
        const ProgramOrBurst& content = contents[i];
        if (content.program == nullptr && content.burst == nullptr) {
            problems.add(
                tasks[i],
                "\"burst\" or \"program\" is missing: the CPU time of the task, like \"8ms\", or the "
                "list of its steps");
            continue;
        }
        if (content.program != nullptr && content.burst != nullptr)
            problems.add(*content.burst, "specify \"burst\" or \"program\", not both", true);
        ProgramReader program(draft, i);
        if (content.program == nullptr)
            program.read_burst(*content.burst);
        else if (content.program->is_string())
            program.read_words(*content.program);
        else
            program.read_steps(*content.program);
        program.check_locks_at_end(content.program != nullptr ? *content.program : *content.burst);
        TaskGroup& group = scenario.groups[i];
        group.length = program.length().fixed_length_or_zero();
        if (group.deadline == Nanos{}) group.deadline = group.period;
        scenario.steps.push_back({.action = action_index("exit")});
    }
    if (problems.count() > 0) return;
    skip_ends_of_endless_loops(scenario);
    draft.endless = draft.endless || has_exec_cycle(scenario);
}

void compute_machine_shape(ScenarioBuilder& draft, const JsonValue& tasks, const JsonValue* max_tasks) {
    Problems& problems = draft.problems;
    Scenario& scenario = draft.scenario;
    std::uint64_t total = 0;
    for (const TaskGroup& group : scenario.groups) total += group.count;
    if (total > kMaxTasks)
        problems.add(tasks, fmt::format("{} tasks in total at the start; the limit is {}", total, kMaxTasks));
    std::uint64_t rows = draft.forks ? std::min<std::uint64_t>(total + kForkRoom, kMaxTasks) : total;
    if (max_tasks != nullptr) {
        const std::size_t before = problems.count();
        rows = draft.values.count(*max_tasks, 0, kMaxTasks);
        if (rows < total && problems.count() == before)
            problems.add(*max_tasks,
                         fmt::format("max_tasks is {}, less than the {} tasks at the start", rows, total));
    }
    const CostModel& costs = scenario.machine.costs;
    scenario.shape = {.cpus = scenario.cpus,
                      .tasks = static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, kMaxTasks)),
                      .channels = static_cast<std::uint32_t>(scenario.channels.size()),
                      .loop_depth = draft.loop_depth};
    for (const TaskGroup& group : scenario.groups)
        scenario.shape.has_jobs = scenario.shape.has_jobs || group.deadline > Nanos{};
    scenario.shape.has_blocks = draft.has_blocks;
    scenario.shape.shared_mms = scenario.shared_mms;
    scenario.shape.mms = 1 + scenario.shared_mms + scenario.shape.tasks + scenario.cpus;
    scenario.shape.recent = costs.tlb.entries > 0 || costs.cache.size > 0 ? Residency::kRecentTasks : 0;
}

}  // namespace sim
