// Question: which task runs next under the fair schedulers? In 2.6.24 it is the task with the least
// vruntime, in 6.6 the eligible task with the earliest deadline. The numbers are round enough to calculate
// on paper, and no answer depends on rounding.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "sim/explain/explain.h"
#include "sim/policies/fair.h"
#include "sim/policies/fair_state.h"
#include "sim/quiz/situation.h"
#include "sim/quiz/topics/topics.h"

namespace sim::quiz {
namespace fair_next {
namespace {

using enum Misconception;

constexpr int kMostDraws = 400;
constexpr std::uint32_t kHz = 1000;
constexpr std::int64_t kTenth = 100'000;  // 0.1 ms, in ns

std::string in_ms(std::int64_t ns) {
    const std::string text = fmt::format("{}.{:03}", ns / 1'000'000, ns / 1'000 % 1'000);
    return text.substr(0, std::max(text.find_last_not_of('0') + 1, text.find('.') + 2));
}

std::string event_text(Event event, const std::string& prev) {
    switch (event) {
        case Event::yield:
            return fmt::format("Now {} calls sched_yield().", prev);
        case Event::block:
            return fmt::format("Now {} makes a system call and goes to sleep in it.", prev);
        default:
            return fmt::format("Now need_resched is set, and {} calls schedule().", prev);
    }
}

bool apply_event(PolicyDriver& driver, Event event) {
    if (event == Event::yield) return driver.yield();
    if (event == Event::block) return driver.block();
    return driver.schedule();
}

struct Distractor {
    Misconception mistake;
    TaskId task;
};

// All tasks except `next`, each with the mistake that leads to its choice. `target_mistake`: the mistake that
// the question is about. Returns nullopt if there are fewer than two such tasks. Also returns nullopt if no
// task has the mistake `target_mistake`, unless `accept_others` is true (accept other mistakes).
template <class MistakeOf>
std::optional<std::vector<Distractor>> find_distractors(const std::vector<TaskId>& tasks, TaskId next,
                                                        Misconception target_mistake, bool accept_others,
                                                        MistakeOf mistake_of) {
    std::vector<Distractor> wrong;
    bool has = false;
    for (const TaskId p : tasks) {
        if (p == next) continue;
        wrong.push_back({mistake_of(p), p});
        has = has || wrong.back().mistake == target_mistake;
    }
    if (wrong.size() < 2 || (!has && !accept_others)) return std::nullopt;
    return wrong;
}

// Adds the right choice, the choice with the mistake `target_mistake`, then other choices up to the maximum.
// Sorts the choices by text.
void finish(Question& q, const PolicyDriver& driver, std::vector<Distractor> wrong,
            Misconception target_mistake, RandomDraw& draw) {
    draw.shuffle(wrong);
    std::stable_sort(wrong.begin(), wrong.end(), [&](const Distractor& a, const Distractor& b) {
        return (a.mistake == target_mistake) > (b.mistake == target_mistake);
    });
    q.choices.push_back({driver.name(driver.current())});
    for (const Distractor& w : wrong) add_wrong_choice(q, driver.name(w.task), w.mistake);
    std::sort(q.choices.begin(), q.choices.end(),
              [](const Choice& a, const Choice& b) { return a.text < b.text; });
}

std::vector<std::string> draw_task_names(RandomDraw& draw, std::int32_t count) {
    std::vector<std::string> names;
    for (std::int32_t i = 0; i < count; ++i) names.emplace_back(1, static_cast<char>('P' + i));
    draw.shuffle(names);
    return names;
}

// --- the least vruntime ---

struct FairTask {
    std::string name;
    std::int32_t nice = 0;
    std::int64_t vruntime = 0;  // ns
    bool asleep = false;
};

struct CfsSituation {
    bool is_compat = false;  // sched_compat_yield is set
    Event event = Event::resched;
    std::vector<FairTask> tasks;
};

CfsSituation draw_cfs_situation(RandomDraw& draw, Level level) {
    CfsSituation situation;
    situation.is_compat = level == Level::medium && draw.chance(35);
    situation.event =
        draw.one_of(level == Level::easy ? std::vector{Event::resched, Event::resched, Event::block}
                                         : std::vector{Event::resched, Event::yield, Event::yield});
    const std::int32_t ready = draw.between(3, level == Level::easy ? 3 : 4);
    const std::int32_t asleep = draw.chance(level == Level::easy ? 70 : 50) ? 1 : 0;
    const std::int64_t middle = draw.between(20, 200);
    const std::vector<std::string> names = draw_task_names(draw, ready + asleep);
    for (const std::string& name : names) {
        FairTask task{.name = name};
        task.nice = draw.chance(55) ? 0 : draw.one_of<std::int32_t>({-5, -2, 5, 5, 10});
        task.vruntime = (middle + draw.between(0, 90)) * kTenth;
        task.asleep = static_cast<std::int32_t>(situation.tasks.size()) >= ready;
        if (task.asleep) task.vruntime = draw.between(0, static_cast<std::int32_t>(middle)) * kTenth;
        situation.tasks.push_back(task);
    }
    return situation;
}

// A driver whose tasks and policy are in the state of a situation.
struct LoadedCfsSituation {
    explicit LoadedCfsSituation(const CfsSituation& situation)
        : policy(make_policy(situation.is_compat ? "linux-2.6.24:yield=compat" : "linux-2.6.24")),
          driver(*policy.policy, static_cast<std::uint32_t>(situation.tasks.size()), kHz) {
        driver.mutable_machine().of_cpu<fair::RunQueueFields>(0).min_vruntime = 0;
        for (const FairTask& task : situation.tasks)
            driver.add({.name = task.name,
                        .priority = 20 - task.nice,
                        .sleeping = task.asleep,
                        .set_policy_state = [&task](Machine& m, TaskId p) {
                            m.of_task<fair::TaskFields2624>(p).vruntime = task.vruntime;
                        }});
        driver.schedule();
        for (const FairTask& task : situation.tasks) all.push_back(driver.find(task.name));
    }

    std::int64_t vruntime(TaskId p) const {
        return driver.machine().of_task<fair::TaskFields2624>(p).vruntime;
    }
    bool is_asleep(TaskId p) const { return driver.machine().task[p].state != TaskState::runnable; }
    std::uint32_t weight(TaskId p) const { return fair::weight_of_nice(20 - driver.machine().priority[p]).w; }

    NamedPolicy policy;
    PolicyDriver driver;
    std::vector<TaskId> all;
};

// `run_time`: run time of the running task since its vruntime was updated.
std::string cfs_situation_text(const CfsSituation& situation, const LoadedCfsSituation& loaded,
                               std::int64_t run_time) {
    const PolicyDriver& driver = loaded.driver;
    const TaskId prev = driver.current();
    std::string told = fmt::format(
        "Linux 2.6.24{}. There are no other tasks. vruntime is in ms; nice 0 has weight 1024.\n"
        "\n"
        "  task  nice  weight  vruntime\n",
        situation.is_compat ? " with sched_compat_yield = 1" : "");
    for (const FairTask& task : situation.tasks) {
        const TaskId p = driver.find(task.name);
        told += fmt::format("  {:<5} {:>4} {:>7} {:>9}{}\n", task.name, task.nice, loaded.weight(p),
                            in_ms(loaded.vruntime(p)),
                            p == prev     ? "  runs"
                            : task.asleep ? "  asleep"
                                          : "");
    }
    told += fmt::format("\n{} has run for {} ms since its vruntime was updated. {}\n", driver.name(prev),
                        in_ms(run_time), event_text(situation.event, driver.name(prev)));
    return told;
}

// The kernel's choice, and extreme values of the runnable tasks, by which a mistake is recognized.
struct CfsChoice {
    TaskId prev = kNoTask, next = kNoTask;
    // Vruntime that prev would have if its run time were added without a weight, in ns.
    std::int64_t unweighted_vruntime = 0;
    // Highest vruntime, and lowest vruntime of the tasks other than prev, in ns.
    std::int64_t most = 0, least_of_others = 0;
    std::uint32_t heaviest = 0;  // highest weight
};

// The kernel's choice; nullopt if rounding might decide or no task is runnable. `unweighted_vruntime`: as in
// CfsChoice.
std::optional<CfsChoice> cfs_choice(const LoadedCfsSituation& loaded, TaskId prev,
                                    std::int64_t unweighted_vruntime) {
    const TaskId next = loaded.driver.current();
    if (loaded.driver.machine().is_idle_task(next)) return std::nullopt;
    CfsChoice choice{.prev = prev,
                     .next = next,
                     .unweighted_vruntime = unweighted_vruntime,
                     .most = loaded.vruntime(next),
                     .least_of_others = std::numeric_limits<std::int64_t>::max()};
    for (const TaskId p : loaded.all) {
        if (loaded.is_asleep(p)) continue;
        if (p != next && loaded.vruntime(p) - loaded.vruntime(next) < kTenth) return std::nullopt;
        choice.most = std::max(choice.most, loaded.vruntime(p));
        if (p != prev) choice.least_of_others = std::min(choice.least_of_others, loaded.vruntime(p));
        choice.heaviest = std::max(choice.heaviest, loaded.weight(p));
    }
    return choice;
}

// The mistake of choosing p instead of choice.next. REQUIRES: p != choice.next.
Misconception cfs_mistake(const CfsSituation& situation, const LoadedCfsSituation& loaded,
                          const CfsChoice& choice, TaskId p) {
    const auto& [prev, next, unweighted_vruntime, most, least_of_others, heaviest] = choice;
    const bool yielded = situation.event == Event::yield;
    if (loaded.is_asleep(p)) return sleeper_runs;
    if (yielded && situation.is_compat && p == prev) return yielder_runs;
    if (yielded && next == prev) return yield_must_switch;
    if (p == prev) return unweighted_vruntime < loaded.vruntime(next) ? fair_unweighted : fair_not_charged;
    if (next == prev && unweighted_vruntime > loaded.vruntime(p) && loaded.vruntime(p) == least_of_others)
        return fair_unweighted;
    if (loaded.weight(p) == heaviest && loaded.weight(next) < heaviest) return fair_by_weight;
    return loaded.vruntime(p) == most ? fair_most : fair_not_least;
}

std::string explain_cfs(const CfsSituation& situation, const LoadedCfsSituation& loaded, TaskId prev,
                        std::int64_t run_time) {
    const PolicyDriver& driver = loaded.driver;
    std::string text;
    if (!loaded.is_asleep(prev))
        text =
            situation.event == Event::yield && situation.is_compat
                ? fmt::format(
                      "{}'s vruntime becomes that of the last task in the tree plus a nanosecond, and "
                      "its run time is added.\n",
                      driver.name(prev))
                : fmt::format("{}'s vruntime advances by {} ms * 1024 / {}, to {} ms.\n", driver.name(prev),
                              in_ms(run_time), loaded.weight(prev), in_ms(loaded.vruntime(prev)));
    return text +
           explain_decision(
               driver.log(), loaded.policy, [&](TaskId p) { return driver.name(p); }, "", loaded.all.size());
}

// Draws a random situation and makes a question of it. Returns nullopt if the situation is not suitable.
std::optional<Question> draw_cfs_question(RandomDraw& draw, Level level, Misconception target_mistake,
                                          bool accept_others) {
    const CfsSituation situation = draw_cfs_situation(draw, level);
    LoadedCfsSituation loaded(situation);
    const TaskId prev = loaded.driver.current();
    const std::int64_t before = loaded.vruntime(prev), run_time = draw.between(10, 80) * kTenth;
    std::string told = cfs_situation_text(situation, loaded, run_time);

    loaded.driver.advance_clock(Nanos{run_time});
    apply_event(loaded.driver, situation.event);
    const std::optional<CfsChoice> choice = cfs_choice(loaded, prev, before + run_time);
    if (!choice) return std::nullopt;
    std::optional<std::vector<Distractor>> wrong =
        find_distractors(loaded.all, choice->next, target_mistake, accept_others,
                         [&](TaskId p) { return cfs_mistake(situation, loaded, *choice, p); });
    if (!wrong) return std::nullopt;
    Question q;
    q.situation = std::move(told);
    q.text = "Which task runs next?";
    q.explanation = explain_cfs(situation, loaded, prev, run_time);
    finish(q, loaded.driver, std::move(*wrong), target_mistake, draw);
    return q;
}

// --- the earliest deadline of the eligible tasks ---

// A driver with tasks of these names under linux-6.6, and its policy.
struct LoadedEevdfSituation {
    explicit LoadedEevdfSituation(const std::vector<std::string>& names)
        : policy(make_policy("linux-6.6")),
          driver(*policy.policy, static_cast<std::uint32_t>(names.size()), kHz) {
        driver.mutable_machine().of_cpu<fair::RunQueueFields66>(0).min_vruntime = 0;
        for (const std::string& name : names) driver.add({.name = name});
        driver.schedule();
        for (const std::string& name : names) all.push_back(driver.find(name));
    }

    const fair::TaskFields66& of(TaskId p) const { return driver.machine().of_task<fair::TaskFields66>(p); }
    bool is_asleep(TaskId p) const { return driver.machine().task[p].state != TaskState::runnable; }

    NamedPolicy policy;
    PolicyDriver driver;
    std::vector<TaskId> all;
};

// Runs 4 to 8 turns. In each turn, the running task computes for a multiple of kTenth. If `one_sleeps`, one
// of the turns ends in a sleep.
void run_random_turns(RandomDraw& draw, PolicyDriver& driver, bool one_sleeps) {
    const std::int32_t turns = draw.between(4, 8), sleeps_at = draw.between(1, 3);
    for (std::int32_t i = 0; i < turns; ++i) {
        driver.advance_clock(Nanos{draw.between(2, 14) * kTenth});
        apply_event(driver, one_sleeps && i == sleeps_at ? Event::block
                            : draw.chance(30)            ? Event::yield
                                                         : Event::resched);
    }
}

// `run_time`: run time of the running task since its vruntime was updated.
std::string eevdf_situation_text(const LoadedEevdfSituation& loaded, Event event, std::int64_t run_time) {
    const PolicyDriver& driver = loaded.driver;
    const TaskId prev = driver.current();
    std::string told =
        "Linux 6.6. There are no other tasks than these, all of nice 0; vruntime and deadline are in ms, a "
        "slice is 0.75 ms.\n"
        "\n"
        "  task  vruntime  deadline\n";
    for (const TaskId p : loaded.all)
        told += loaded.is_asleep(p)
                    ? fmt::format("  {:<5}        -         -  asleep\n", driver.name(p))
                    : fmt::format("  {:<5} {:>8} {:>9}{}\n", driver.name(p), in_ms(loaded.of(p).vruntime),
                                  in_ms(loaded.of(p).deadline), p == prev ? "  runs" : "");
    told += fmt::format(
        "\n"
        "{} has run for {} ms since its vruntime was updated. {}\n",
        driver.name(prev), in_ms(run_time), event_text(event, driver.name(prev)));
    return told;
}

// The kernel's choice, and values of the runnable tasks, by which the choice is explained.
struct EevdfChoice {
    TaskId prev = kNoTask, next = kNoTask;
    std::int64_t old_deadline = 0;  // prev's deadline before the event, ns
    // Sum, number and minimum of the vruntimes; sum and minimum in ns.
    std::int64_t sum = 0, count = 0, least = 0;

    bool is_eligible(const fair::TaskFields66& task) const { return task.vruntime * count <= sum; }
};

// The kernel's choice. Returns nullopt if no task is runnable. Also returns nullopt if another eligible
// task has the same deadline as the chosen one: then the order in the tree decides, which the question does
// not show.
std::optional<EevdfChoice> eevdf_choice(const LoadedEevdfSituation& loaded, TaskId prev,
                                        std::int64_t old_deadline) {
    const TaskId next = loaded.driver.current();
    if (loaded.driver.machine().is_idle_task(next)) return std::nullopt;
    EevdfChoice choice{
        .prev = prev, .next = next, .old_deadline = old_deadline, .least = loaded.of(next).vruntime};
    for (const TaskId p : loaded.all) {
        if (loaded.is_asleep(p)) continue;
        choice.sum += loaded.of(p).vruntime;
        ++choice.count;
        choice.least = std::min(choice.least, loaded.of(p).vruntime);
    }
    for (const TaskId p : loaded.all)
        if (p != next && !loaded.is_asleep(p) && choice.is_eligible(loaded.of(p)) &&
            loaded.of(p).deadline == loaded.of(next).deadline)
            return std::nullopt;
    return choice;
}

// The mistake of choosing p instead of choice.next. REQUIRES: p != choice.next.
Misconception eevdf_mistake(const LoadedEevdfSituation& loaded, const EevdfChoice& choice, Event event,
                            TaskId p) {
    const TaskId prev = choice.prev, next = choice.next;
    const bool yielded = event == Event::yield;
    if (loaded.is_asleep(p)) return sleeper_runs;
    if (!choice.is_eligible(loaded.of(p)))
        return loaded.of(p).deadline < loaded.of(next).deadline ? eevdf_not_eligible : eevdf_ahead_and_later;
    if (yielded && p == prev) return yielder_runs;
    if (yielded && next == prev) return yield_must_switch;
    if (p == prev && choice.old_deadline < loaded.of(next).deadline) return eevdf_old_deadline;
    return loaded.of(p).vruntime == choice.least ? eevdf_least_vruntime : eevdf_later_deadline;
}

std::string explain_eevdf(const LoadedEevdfSituation& loaded, const EevdfChoice& choice) {
    const PolicyDriver& driver = loaded.driver;
    std::string text = fmt::format("The average vruntime is {} ms:\n", in_ms(choice.sum / choice.count));
    for (const TaskId p : loaded.all)
        if (!loaded.is_asleep(p))
            text += fmt::format("  {:<5} vruntime {:>6}  {:<12}  deadline {:>6}\n", driver.name(p),
                                in_ms(loaded.of(p).vruntime),
                                choice.is_eligible(loaded.of(p)) ? "eligible" : "not eligible",
                                in_ms(loaded.of(p).deadline));
    return text + fmt::format("{} runs: of the eligible tasks, it has the earliest deadline.\n",
                              driver.name(choice.next));
}

// Draws a random situation and makes a question of it. Returns nullopt if the situation is not suitable.
std::optional<Question> draw_eevdf_question(RandomDraw& draw, Misconception target_mistake,
                                            bool accept_others) {
    const Event event = draw.one_of<Event>({Event::resched, Event::resched, Event::yield, Event::block});
    const std::int32_t ready = draw.between(event == Event::block ? 4 : 3, 4);
    const bool one_sleeps = draw.chance(40);
    LoadedEevdfSituation loaded(draw_task_names(draw, ready + (one_sleeps ? 1 : 0)));
    run_random_turns(draw, loaded.driver, one_sleeps);

    const TaskId prev = loaded.driver.current();
    const std::int64_t old_deadline = loaded.of(prev).deadline, run_time = draw.between(1, 12) * kTenth;
    std::string told = eevdf_situation_text(loaded, event, run_time);

    loaded.driver.advance_clock(Nanos{run_time});
    apply_event(loaded.driver, event);
    const std::optional<EevdfChoice> choice = eevdf_choice(loaded, prev, old_deadline);
    if (!choice) return std::nullopt;
    std::optional<std::vector<Distractor>> wrong =
        find_distractors(loaded.all, choice->next, target_mistake, accept_others,
                         [&](TaskId p) { return eevdf_mistake(loaded, *choice, event, p); });
    if (!wrong) return std::nullopt;
    Question q;
    q.situation = std::move(told);
    q.text = "Which task runs next?";
    q.explanation = explain_eevdf(loaded, *choice);
    finish(q, loaded.driver, std::move(*wrong), target_mistake, draw);
    return q;
}

std::vector<Misconception> mistakes_for_level(Level level) {
    switch (level) {
        case Level::easy:
            return {fair_not_charged, fair_unweighted, fair_by_weight, fair_most, sleeper_runs};
        case Level::medium:
            return {fair_not_charged, fair_unweighted, fair_by_weight, yield_must_switch, yielder_runs};
        default:
            return {eevdf_not_eligible, eevdf_least_vruntime, eevdf_old_deadline, yielder_runs,
                    yield_must_switch,  eevdf_later_deadline, sleeper_runs};
    }
}

}  // namespace
}  // namespace fair_next

Question make_fair_next(RandomDraw& draw, Level level) {
    using namespace fair_next;
    const Misconception target_mistake = draw.one_of(mistakes_for_level(level));
    for (int drawn = 1;; ++drawn) {
        const bool accept_others = drawn > kMostDraws;
        std::optional<Question> q = level == Level::hard
                                        ? draw_eevdf_question(draw, target_mistake, accept_others)
                                        : draw_cfs_question(draw, level, target_mistake, accept_others);
        if (q) return *q;
    }
}

}  // namespace sim::quiz
