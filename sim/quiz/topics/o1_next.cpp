// Question: which task runs next under Linux 2.6.20, and are the two arrays swapped? Calls of the policy's
// own functions produce the state before the event, so the kernel can reach this state.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/explain/explain.h"
#include "sim/policies/linux_2_6_20.h"
#include "sim/quiz/situation.h"
#include "sim/quiz/topics/topics.h"

namespace sim::quiz {
namespace o1_next {
namespace {

using enum Misconception;

constexpr int kMostDraws = 400;
constexpr std::uint32_t kHz = 1000;
constexpr std::int64_t kMs = 1'000'000;
// A task at nice 0 with this prio or a better one is interactive and does not expire.
constexpr std::int32_t kInteractivePrio = 118;

enum class TaskPlace : std::uint8_t { active, expired, asleep };

struct O1Task {
    std::string name;
    std::int32_t nice = 0;
    std::int32_t slice = 0;      // ticks
    std::int32_t sleep_avg = 0;  // ms
    TaskPlace place = TaskPlace::active;
};

struct O1Situation {
    std::vector<O1Task> tasks;
    Event event = Event::yield;
};

class LoadedSituation {
  public:
    explicit LoadedSituation(const O1Situation& situation)
        : policy_(make_policy("linux-2.6.20")),
          driver_(*policy_.policy, static_cast<std::uint32_t>(situation.tasks.size()), kHz) {
        for (const TaskPlace place : {TaskPlace::active, TaskPlace::expired, TaskPlace::asleep})
            for (const O1Task& task : situation.tasks)
                if (task.place == place) add(task);
        for (const O1Task& task : situation.tasks) {
            if (task.place != TaskPlace::expired) continue;
            driver_.put_on_cpu(driver_.find(task.name));
            driver_.yield();
        }
        driver_.schedule();
    }

    PolicyDriver& driver() { return driver_; }
    const Machine& machine() const { return driver_.machine(); }
    const NamedPolicy& policy() const { return policy_; }

    const o1::TaskFields& of(TaskId p) const { return machine().of_task<o1::TaskFields>(p); }
    std::uint32_t active() const { return machine().of_cpu<o1::RunQueueFields>(0).active; }
    bool is_asleep(TaskId p) const { return machine().task[p].state != TaskState::runnable; }

    // The tasks of an array, list by list: best prio first, each list from head to tail.
    std::vector<TaskId> tasks_of(std::uint32_t array) const {
        std::vector<TaskId> tasks;
        for (TaskId p = machine().next_run[0]; p != 0; p = machine().next_run[p])
            if (of(p).array == array) tasks.push_back(p);
        return tasks;
    }

  private:
    void add(const O1Task& task) {
        driver_.add({.name = task.name,
                     .priority = 20 - task.nice,
                     .counter = task.slice,
                     .sleeping = task.place == TaskPlace::asleep,
                     .set_policy_state = [&task](Machine& m, TaskId p) {
                         m.of_task<o1::TaskFields>(p).sleep_avg = task.sleep_avg * kMs;
                         m.of_task<o1::TaskFields>(p).prio = o1::effective_prio(m, p);
                     }});
    }

    NamedPolicy policy_;
    PolicyDriver driver_;
};

O1Situation draw_o1_situation(RandomDraw& draw, Level level) {
    O1Situation situation;
    const std::vector<Event> events =
        level == Level::easy ? std::vector{Event::yield, Event::tick, Event::block}
                             : std::vector{Event::yield, Event::tick, Event::tick, Event::block, Event::wake};
    situation.event = draw.one_of(events);
    const bool is_hard = level == Level::hard;
    const std::int32_t active = draw.chance(35) ? 1 : draw.between(2, is_hard ? 4 : 3);
    const std::int32_t expired = draw.between(active == 1 ? 2 : 1, is_hard ? 3 : 2);
    const std::int32_t asleep = situation.event == Event::wake || draw.chance(40) ? 1 : 0;
    // The middle of the tasks' random bonuses. All bonuses are close to it, so that some lists have several
    // tasks.
    const std::int32_t middle = draw.between(0, level == Level::easy ? 5 : 9);
    const std::int32_t most = level == Level::easy ? 6 : 10;
    for (std::int32_t i = 0; i < active + expired + asleep; ++i) {
        O1Task task{.name = std::string(1, static_cast<char>('P' + i))};
        const std::int32_t bonus = std::clamp(middle + draw.between(-1, 1), 0, most);
        task.sleep_avg = std::min(100 * bonus + (draw.chance(50) ? 50 : 0), 1000);
        if (is_hard && draw.chance(35)) task.nice = draw.one_of<std::int32_t>({-5, 5, 10});
        task.slice = draw.between(2, 49);
        task.place = i < active             ? TaskPlace::active
                     : i < active + expired ? TaskPlace::expired
                                            : TaskPlace::asleep;
        situation.tasks.push_back(task);
    }
    std::vector<std::string> names;
    for (const O1Task& task : situation.tasks) names.push_back(task.name);
    draw.shuffle(names);
    for (std::size_t i = 0; i < names.size(); ++i) situation.tasks[i].name = names[i];
    return situation;
}

std::string o1_situation_text(const LoadedSituation& loaded, const PolicyDriver& driver,
                              const O1Situation& situation, TaskId woken) {
    std::string text =
        "Linux 2.6.20. There are no other tasks than these, and no task in the expired array is starving.\n"
        "The lists of each array, best first, each from head to tail, then the sleeping tasks:\n"
        "\n"
        "  task  prio  nice  slice  sleep_avg  array\n";
    const auto row = [&](TaskId p, const char* array) {
        const auto task = std::find_if(situation.tasks.begin(), situation.tasks.end(),
                                       [&](const O1Task& t) { return t.name == driver.name(p); });
        text += fmt::format("  {:<5} {:>4} {:>5} {:>6} {:>7} ms  {}\n", driver.name(p), loaded.of(p).prio,
                            task->nice, task->slice, task->sleep_avg, array);
    };
    for (const TaskId p : loaded.tasks_of(loaded.active()))
        row(p, p == driver.current() ? "active, runs" : "active");
    for (const TaskId p : loaded.tasks_of(loaded.active() ^ 1)) row(p, "expired");
    for (const O1Task& task : situation.tasks)
        if (task.place == TaskPlace::asleep) row(driver.find(task.name), "asleep");
    const std::string& prev = driver.name(driver.current());
    switch (situation.event) {
        case Event::yield:
            return text + fmt::format("\n{} calls sched_yield().\n", prev);
        case Event::tick:
            return text +
                   fmt::format("\nThe timer interrupt finds {} running, which uses up its slice.\n", prev);
        case Event::wake:
            return text + fmt::format(
                              "\n"
                              "An interrupt wakes {} up; its prio already includes the bonus for "
                              "its sleep.\n",
                              driver.name(woken));
        default:
            return text + fmt::format("\n{} makes a system call and goes to sleep in it.\n", prev);
    }
}

std::vector<Misconception> mistakes_for_level(Level level) {
    std::vector<Misconception> list{yielder_runs, o1_from_expired,    o1_swap_missed,
                                    o1_not_head,  o1_expired_goes_on, sleeper_runs};
    if (level != Level::easy)
        list.insert(list.end(), {o1_worse_prio, o1_no_better_preempts, o1_wake_waits, o1_interactive_expires,
                                 o1_swap_unneeded});
    return list;
}

std::string text_of(const std::string& name, bool swaps) {
    return fmt::format("{}, and {}", name,
                       swaps ? "the two arrays are swapped first" : "the arrays stay as they are");
}

// Changes the running task so that its slice ends at the next tick. Returns false if its nice value is not 0,
// since kInteractivePrio, the limit of interactive tasks, is valid only for nice 0.
bool use_up_slice(O1Situation& situation) {
    LoadedSituation rehearsal(situation);
    const std::string& runs = rehearsal.driver().name(rehearsal.driver().current());
    for (O1Task& task : situation.tasks) {
        if (task.name != runs) continue;
        if (task.nice != 0) return false;
        task.slice = 1;
    }
    return true;
}

// The event of a situation, and the result of the event.
struct PlayedSituation {
    Event event = Event::yield;
    TaskId prev = kNoTask, woken = kNoTask, next = kNoTask;  // woken: kNoTask if the event is not a wake-up
    bool is_interactive = false;                             // whether prev is interactive
    bool scheduled = false, swapped = false;
    std::uint32_t active_before = 0;  // index of the array that was active before the event
};

// The mistake in the answer that p runs next. REQUIRES: p is not the next task.
Misconception mistake_of(const LoadedSituation& loaded, const PlayedSituation& result, TaskId p) {
    const auto& [event, prev, woken, next, is_interactive, scheduled, swapped, active_before] = result;
    if (loaded.is_asleep(p)) return sleeper_runs;
    if (event == Event::wake && p == woken) return o1_no_better_preempts;
    if (event == Event::wake && p == prev) return o1_wake_waits;
    if (event == Event::yield && p == prev) return yielder_runs;
    if (event == Event::tick && p == prev && loaded.of(p).array != active_before) return o1_expired_goes_on;
    if (event == Event::tick && is_interactive && next == prev) return o1_interactive_expires;
    if (!swapped && loaded.of(p).array != active_before) return o1_from_expired;
    return loaded.of(p).prio == loaded.of(next).prio ? o1_not_head : o1_worse_prio;
}

std::string explain_result(const LoadedSituation& loaded, const PolicyDriver& driver,
                           const PlayedSituation& result) {
    std::string text;
    if (result.scheduled)
        text = explain_decision(driver.log(), loaded.policy(), [&](TaskId p) { return driver.name(p); });
    else
        text = fmt::format("No schedule(): {}'s prio is not better than {}'s.\n", driver.name(result.woken),
                           driver.name(result.prev));
    if (result.event == Event::tick)
        text += fmt::format("{} has a new slice, and went to the {} array{}.\n", driver.name(result.prev),
                            result.is_interactive ? "active" : "expired",
                            result.is_interactive ? " again: it is interactive" : "");
    if (result.swapped) text += "The active array was empty: the two arrays were swapped.\n";
    for (const bool expired : {false, true}) {
        text += expired ? "; expired:" : "Active array afterwards:";
        for (const TaskId p : loaded.tasks_of(loaded.active() ^ (expired ? 1U : 0U)))
            text += fmt::format(" {} {}", driver.name(p), loaded.of(p).prio);
    }
    return text + "\n";
}

struct Distractor {
    Misconception mistake;
    TaskId task;
    bool swaps;
};

// Draws a random situation and makes a question of it. Returns nullopt if the situation is not suitable, or
// if no wrong answer has the mistake `target_mistake` and `accept_others` (accept other mistakes) is false.
std::optional<Question> draw_question(RandomDraw& draw, Level level, Misconception target_mistake,
                                      bool accept_others) {
    O1Situation situation = draw_o1_situation(draw, level);
    if (situation.event == Event::tick && !use_up_slice(situation)) return std::nullopt;
    LoadedSituation loaded(situation);
    PolicyDriver& driver = loaded.driver();
    PlayedSituation result{.event = situation.event, .prev = driver.current()};
    if (situation.event == Event::wake) result.woken = driver.find(situation.tasks.back().name);
    result.is_interactive = loaded.of(result.prev).prio <= kInteractivePrio;
    // In the kernel, an interactive task also expires if another task with a better nice value has expired
    // because its slice was used up. The expired tasks of this simulation have yielded instead, which the
    // text of the question does not mention. So a situation with an expired task of a better nice value is
    // rejected, because the kernel could choose another task than the simulation.
    if (situation.event == Event::tick && result.is_interactive &&
        std::any_of(situation.tasks.begin(), situation.tasks.end(),
                    [](const O1Task& task) { return task.place == TaskPlace::expired && task.nice < 0; }))
        return std::nullopt;
    result.active_before = loaded.active();
    const std::string told = o1_situation_text(loaded, driver, situation, result.woken);
    if (situation.event == Event::yield) result.scheduled = driver.yield();
    if (situation.event == Event::tick) result.scheduled = driver.tick();
    if (situation.event == Event::block) result.scheduled = driver.block();
    if (situation.event == Event::wake)
        result.scheduled = driver.wake(result.woken, WakeUp::Waker::interrupt);
    const TaskId next = result.next = driver.current();
    if (driver.machine().is_idle_task(next)) return std::nullopt;
    const bool swapped = result.swapped = loaded.active() != result.active_before;

    std::vector<Distractor> wrong{{swapped ? o1_swap_missed : o1_swap_unneeded, next, !swapped}};
    for (const O1Task& task : situation.tasks) {
        const TaskId p = driver.find(task.name);
        if (p != next) wrong.push_back({mistake_of(loaded, result, p), p, swapped != draw.chance(40)});
    }
    const bool has = std::any_of(wrong.begin(), wrong.end(),
                                 [&](const Distractor& w) { return w.mistake == target_mistake; });
    if (wrong.size() < 3 || (!has && !accept_others)) return std::nullopt;

    draw.shuffle(wrong);
    std::stable_sort(wrong.begin(), wrong.end(), [&](const Distractor& a, const Distractor& b) {
        return (a.mistake == target_mistake) > (b.mistake == target_mistake);
    });
    Question q;
    q.situation = told;
    q.text = "Which task has the CPU afterwards, and are the active and the expired array swapped?";
    q.explanation = explain_result(loaded, driver, result);
    q.choices.push_back({text_of(driver.name(next), swapped)});
    for (const Distractor& w : wrong) add_wrong_choice(q, text_of(driver.name(w.task), w.swaps), w.mistake);
    shuffle_choices(q, draw);
    return q;
}

}  // namespace
}  // namespace o1_next

Question make_o1_next(RandomDraw& draw, Level level) {
    using namespace o1_next;
    const Misconception target_mistake = draw.one_of(mistakes_for_level(level));
    for (int drawn = 1;; ++drawn) {
        std::optional<Question> q = draw_question(draw, level, target_mistake, drawn >= kMostDraws);
        if (q) return *q;
    }
}

}  // namespace sim::quiz
