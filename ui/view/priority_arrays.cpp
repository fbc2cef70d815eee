#include "ui/view/priority_arrays.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/policies/linux_2_6_20.h"

namespace ui {
namespace {

using sim::Machine;
using sim::Phase;
using sim::TaskId;

constexpr const char* kPolicy = "linux-2.6.20";

using Arrays = std::array<PriorityArray, 2>;

// Returns the list of this prio. Creates the list if it does not exist.
PriorityList& list_of(PriorityArray& array, std::int32_t prio) {
    const auto at = std::lower_bound(array.lists.begin(), array.lists.end(), prio,
                                     [](const PriorityList& l, std::int32_t n) { return l.prio < n; });
    if (at != array.lists.end() && at->prio == prio) return *at;
    return *array.lists.insert(at, {prio, {}});
}

Arrays arrays_of(const Machine& m, sim::CpuId cpu) {
    Arrays arrays;
    for (TaskId p = m.next_run[cpu]; p != cpu; p = m.next_run[p]) {
        const sim::o1::TaskFields& t = m.of_task<sim::o1::TaskFields>(p);
        list_of(arrays[t.array], t.prio).tasks.push_back(p);
    }
    return arrays;
}

void remove_task(Arrays& arrays, TaskId p) {
    for (PriorityArray& array : arrays) {
        for (PriorityList& list : array.lists) std::erase(list.tasks, p);
        std::erase_if(array.lists, [](const PriorityList& l) { return l.tasks.empty(); });
    }
}

// Inserts prev, which has not left its list yet, at its position before the decision: ahead of the tasks
// that followed it.
void insert_prev(Arrays& arrays, const Machine& before, sim::CpuId cpu, TaskId prev) {
    const sim::o1::TaskFields& t = before.of_task<sim::o1::TaskFields>(prev);
    if (t.array == sim::o1::kNoArray) return;
    std::vector<TaskId>& tasks = list_of(arrays[t.array], t.prio).tasks;
    auto place = tasks.end();
    for (TaskId p = before.next_run[prev]; p != cpu && place == tasks.end(); p = before.next_run[p])
        place = std::find(tasks.begin(), tasks.end(), p);
    tasks.insert(place, prev);
}

// Choosing a task can change its prio. If the chosen task is in another list now, moves it to the head of
// the list in which the search found it.
void put_next_where_found(Arrays& arrays, const Machine& after, const sim::Candidate& found) {
    const sim::o1::TaskFields& t = after.of_task<sim::o1::TaskFields>(found.task);
    if (found.key == t.prio) return;
    remove_task(arrays, found.task);
    std::vector<TaskId>& tasks = list_of(arrays[t.array], static_cast<std::int32_t>(found.key)).tasks;
    tasks.insert(tasks.begin(), found.task);
}

std::uint32_t active_array_of(const Machine& m, sim::CpuId cpu) {
    return m.of_cpu<sim::o1::RunQueueFields>(cpu).active;
}

TaskId running_task_on(const Machine& m, sim::CpuId cpu) {
    const TaskId p = m.cpu(cpu).current;
    return m.is_idle_task(p) ? sim::kNoTask : p;
}

}  // namespace

bool has_priority_arrays(const Run& run, const QueueMoment& moment) {
    return policy_at(run, moment).name == kPolicy;
}

std::size_t PriorityArray::count() const {
    std::size_t n = 0;
    for (const PriorityList& list : lists) n += list.tasks.size();
    return n;
}

std::optional<std::int32_t> PriorityArray::first_bit() const {
    if (lists.empty()) return std::nullopt;
    return lists.front().prio;
}

std::vector<TaskId> PriorityArrays::tasks() const {
    std::vector<TaskId> all;
    for (const std::size_t i : {active, expired_index()})
        for (const PriorityList& list : arrays[i].lists)
            all.insert(all.end(), list.tasks.begin(), list.tasks.end());
    return all;
}

PriorityArrays priority_arrays(const QueueMoment& moment, sim::CpuId cpu) {
    const Machine& m = *moment.machine;
    PriorityArrays view{.cpu = cpu,
                        .arrays = arrays_of(m, cpu),
                        .active = active_array_of(m, cpu),
                        .arrays_exchanged = false,
                        .running = running_task_on(m, cpu)};
    if (!moment.cursor || moment.cursor->policy().name != kPolicy) return view;
    const sim::DecisionView& decision = moment.cursor->decision();
    if (decision.record.cpu != cpu) return view;
    view.arrays_exchanged = active_array_of(decision.before, cpu) != active_array_of(decision.after, cpu);
    if (!moment.is_in_decision_of(cpu)) {
        if (moment.phase) view.arrays_exchanged = false;  // the decision has not exchanged the arrays yet
        return view;
    }
    const TaskId prev = decision.record.other;
    if (!moment.has_reached(Phase::find_bit)) {
        view.active = active_array_of(decision.before, cpu);
        view.arrays_exchanged = false;
    }
    if (!moment.has_reached(Phase::keep) && !decision.log.candidates.empty())
        put_next_where_found(view.arrays, m, decision.log.candidates.back());
    if (decision.record.voluntary && !moment.has_reached(Phase::leave))
        insert_prev(view.arrays, decision.before, cpu, prev);
    if (!moment.has_reached(Phase::switch_context)) view.running = m.is_idle_task(prev) ? sim::kNoTask : prev;
    return view;
}

std::string exchange_text(const PriorityArrays& arrays) {
    if (!arrays.arrays_exchanged) return {};
    return fmt::format("the arrays were exchanged: arrays[{}] is now the active array", arrays.active);
}

PrioComponents prio_components_of(const QueueMoment& moment, TaskId p) {
    const Machine& m =
        moment.machine->is_live(p) || !moment.cursor ? *moment.machine : moment.cursor->decision().before;
    const sim::o1::TaskFields& t = m.of_task<sim::o1::TaskFields>(p);
    return {.prio = t.prio,
            .slice = m.counter[p],
            .full_slice = sim::o1::full_slice(m, p),
            .bonus = sim::o1::bonus_of(m, p),
            .sleep_avg = t.sleep_avg,
            .is_real_time = sim::is_real_time(m.sched_class[p]),
            .is_interactive = sim::o1::is_interactive(m, p)};
}

std::string prio_components_text(const PrioComponents& components) {
    const std::string slice = fmt::format("slice {} of {}", components.slice, components.full_slice);
    return components.is_real_time ? slice : fmt::format("{}, bonus {}", slice, components.bonus);
}

}  // namespace ui
