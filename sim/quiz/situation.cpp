#include "sim/quiz/situation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/explain/explain.h"

namespace sim::quiz {
namespace {

bool is_linux_2_0(const std::string& policy) {
    return policy.starts_with("linux-2.0") || policy.starts_with("sorted-queue");
}

std::string row(const DriverTask& task, std::int32_t counter, bool classes, bool mms, const char* state) {
    std::string text = fmt::format("  {:<5} {:>7} {:>9}", task.name, counter, task.priority);
    if (mms) text += task.mm == kKernelMm ? "     -" : fmt::format("  {:>4}", task.mm);
    if (classes) {
        const std::string what =
            task.sched_class == SchedClass::other
                ? "other"
                : fmt::format("{}, rt_priority {}", to_string(task.sched_class), task.rt_priority);
        text += fmt::format("  {:<20}", what);
    }
    text += fmt::format("  {}", state);
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string event_text(const Situation& s) {
    const std::string& prev = s.prev().name;
    switch (s.event) {
        case Event::resched:
            return fmt::format("need_resched is set: {} calls schedule() on its way back to user mode.",
                               prev);
        case Event::tick:
            return fmt::format("The timer interrupt finds {} running.", prev);
        case Event::yield:
            return fmt::format("{} calls sched_yield().", prev);
        case Event::block:
            return fmt::format("{} makes a system call and goes to sleep in it.", prev);
        case Event::wake:
            return fmt::format("An interrupt wakes {} up.", s.tasks[s.woken].name);
    }
    return {};
}

std::string situation_text(const Situation& s, const PolicyDriver& driver, const std::vector<TaskId>& ids,
                           bool is_running_queued) {
    const bool classes = std::any_of(s.tasks.begin(), s.tasks.end(), [](const DriverTask& task) {
        return sim::is_real_time(task.sched_class);
    });
    const bool mms = !is_linux_2_0(s.policy);
    std::string text = fmt::format(
        "{}. There are no other tasks than these.\nThe run queue from head to tail{}{}:\n\n  task  counter  "
        "priority{}{}\n",
        kernel_name(s.policy), is_running_queued ? "" : ", and the running task, which is not on it",
        s.ready_count() < s.tasks.size() ? ", and the sleeping tasks" : "", mms ? "    mm" : "",
        classes ? "  class" : "");
    const Machine& m = driver.machine();
    const auto add = [&](TaskId p, const char* state) {
        const auto place = std::find(ids.begin(), ids.end(), p) - ids.begin();
        text += row(s.tasks[static_cast<std::size_t>(place)], m.counter[p], classes, mms, state);
    };
    if (!is_running_queued) add(driver.current(), "runs");
    for (TaskId p = m.next_run[0]; p != 0; p = m.next_run[p]) add(p, p == driver.current() ? "runs" : "");
    for (const TaskId p : ids)
        if (m.task[p].state != TaskState::runnable) add(p, "asleep");
    return text + "\n" + event_text(s) + "\n";
}

}  // namespace

std::size_t Situation::ready_count() const {
    return static_cast<std::size_t>(
        std::count_if(tasks.begin(), tasks.end(), [](const DriverTask& task) { return !task.sleeping; }));
}

std::string kernel_name(const std::string& policy) {
    if (policy == "linux-2.0") return "Linux 2.0";
    if (policy == "linux-2.0:yield=one_tick")
        return "Linux 2.0 with the two-line patch (a yield costs a tick)";
    if (policy == "linux-2.0:yield=move_last_only")
        return "An early Linux 2.0 (a yield only moves to the tail)";
    if (policy == "linux-2.2") return "Linux 2.2";
    if (policy == "linux-2.4.0") return "Linux 2.4.0";
    if (policy == "linux-2.4.22") return "Linux 2.4.22";
    if (policy == "sorted-queue") return "Linux 2.0 with a sorted queue (policy sorted-queue)";
    return policy;
}

std::string SituationResult::explanation() const {
    return explain_decision(
        log, policy, [&](TaskId p) { return name(p); }, "", ids.size());
}

SituationResult simulate_situation(const Situation& s) {
    NamedPolicy policy = make_policy(s.policy);
    PolicyDriver driver(*policy.policy, static_cast<std::uint32_t>(s.tasks.size()));
    std::vector<TaskId> ids;
    for (const DriverTask& task : s.tasks) {
        driver.add(task);
        ids.push_back(driver.find(task.name));
    }
    driver.put_on_cpu(ids[s.running]);
    SituationResult played{.policy = policy,
                           .told = situation_text(s, driver, ids, policy.policy->keeps_running_task_queued()),
                           .log = {},
                           .ids = ids,
                           .before = driver.machine(),
                           .after = driver.machine(),
                           .names = driver.names()};
    switch (s.event) {
        case Event::resched:
            played.scheduled = driver.schedule();
            break;
        case Event::tick:
            played.scheduled = driver.tick();
            break;
        case Event::yield:
            played.scheduled = driver.yield();
            break;
        case Event::block:
            played.scheduled = driver.block();
            break;
        case Event::wake:
            played.scheduled = driver.wake(ids[s.woken]);
            break;
    }
    played.log = driver.log();
    played.after = driver.machine();
    return played;
}

Situation make_random_situation(RandomDraw& draw, const SituationLimits& limits) {
    Situation s;
    s.policy = draw.one_of(limits.policies);
    s.event = draw.one_of(limits.events);
    const std::int32_t ready = draw.between(limits.least_ready, limits.most_ready);
    const std::int32_t asleep = std::max(s.event == Event::wake ? 1 : 0, draw.between(0, limits.most_asleep));
    const bool used_up = draw.chance(limits.used_up);
    const bool sliced_2_4 = s.policy.starts_with("linux-2.4");
    // The typical counter. Most counters differ from it by at most one, unless every slice is used up.
    const std::int32_t middle = sliced_2_4 ? draw.between(2, 5) : draw.between(2, 19);
    for (std::int32_t i = 0; i < ready + asleep; ++i) {
        DriverTask task{.name = std::string(1, static_cast<char>('P' + i))};
        if (draw.chance(limits.priorities))
            task.priority = draw.one_of<std::int32_t>({10, 15, 19, 21, 25, 30});
        task.counter = used_up || draw.chance(12) ? 0
                       : draw.chance(70)          ? std::max(middle + draw.between(-1, 1), 0)
                                                  : draw.between(1, sliced_2_4 ? 6 : 20);
        task.mm = static_cast<MmId>(draw.chance(45) ? 1 : 2 + i);
        task.sleeping = i >= ready;
        if (task.sleeping) task.counter = draw.between(0, sliced_2_4 ? 11 : 38);
        s.tasks.push_back(task);
    }
    s.running = draw.below(static_cast<std::uint32_t>(ready));
    if (draw.chance(limits.real_time)) {
        DriverTask& task = s.tasks[draw.below(static_cast<std::uint32_t>(ready))];
        task.sched_class = draw.chance(50) ? SchedClass::fifo : SchedClass::rr;
        task.rt_priority = draw.one_of<std::int32_t>({1, 10, 50});
        if (draw.chance(50)) {
            DriverTask& other = s.tasks[draw.below(static_cast<std::uint32_t>(ready))];
            other.sched_class = SchedClass::fifo;
            other.rt_priority = draw.one_of<std::int32_t>({1, 10, 50});
        }
    }
    if (s.event == Event::tick)  // with a higher counter the tick would not lead to schedule()
        s.tasks[s.running].counter = sliced_2_4 ? 1 : 0;
    s.woken = s.tasks.size() - 1;
    // The names are shuffled so that they do not reveal the order. No name is equal to the key of a choice.
    std::vector<std::string> names;
    for (const DriverTask& task : s.tasks) names.push_back(task.name);
    draw.shuffle(names);
    for (std::size_t i = 0; i < s.tasks.size(); ++i) s.tasks[i].name = names[i];
    return s;
}

}  // namespace sim::quiz
