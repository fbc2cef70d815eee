// Question: which task runs next under the fair schedulers, the one with the least vruntime (2.6.24) or the
// eligible one with the earliest deadline (6.6)? The numbers suit calculation on paper, and no choice depends
// on rounding.
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

bool happens(Driver& driver, Event event) {
    if (event == Event::yield) return driver.yield();
    if (event == Event::block) return driver.block();
    return driver.schedule();
}

struct Distractor {
    Misconception mistake;
    TaskId task;
};

// All tasks but the next one, each with the mistake that leads to it. None if they are fewer than two; or if
// no mistake is `about`, the subject of the question, and `settle` is false.
template <class MistakeOf>
std::optional<std::vector<Distractor>> wrong_ones(const std::vector<TaskId>& all, TaskId next,
                                                  Misconception about, bool settle, MistakeOf mistake_of) {
    std::vector<Distractor> wrong;
    bool has = false;
    for (const TaskId p : all) {
        if (p == next) continue;
        wrong.push_back({mistake_of(p), p});
        has = has || wrong.back().mistake == about;
    }
    if (wrong.size() < 2 || (!has && !settle)) return std::nullopt;
    return wrong;
}

// Adds the right choice, the mistake `about`, then others up to the maximum; sorts them by text.
void finish(Question& q, const Driver& driver, std::vector<Distractor> wrong, Misconception about,
            Draw& draw) {
    draw.shuffle(wrong);
    std::stable_sort(wrong.begin(), wrong.end(), [&](const Distractor& a, const Distractor& b) {
        return (a.mistake == about) > (b.mistake == about);
    });
    q.choices.push_back({driver.name(driver.current())});
    for (const Distractor& w : wrong) add_choice(q, driver.name(w.task), w.mistake);
    std::sort(q.choices.begin(), q.choices.end(),
              [](const Choice& a, const Choice& b) { return a.text < b.text; });
}

std::vector<std::string> names_for(Draw& draw, std::int32_t count) {
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

// None: the draw does not make a fair question.
std::optional<Question> draw_cfs(Draw& draw, Level level, Misconception about, bool settle) {
    const bool is_compat = level == Level::medium && draw.chance(35);
    const Event event =
        draw.one_of(level == Level::easy ? std::vector{Event::resched, Event::resched, Event::block}
                                         : std::vector{Event::resched, Event::yield, Event::yield});
    const std::int32_t ready = draw.between(3, level == Level::easy ? 3 : 4);
    const std::int32_t asleep = draw.chance(level == Level::easy ? 70 : 50) ? 1 : 0;
    const std::int64_t middle = draw.between(20, 200);
    std::vector<FairTask> tasks;
    const std::vector<std::string> names = names_for(draw, ready + asleep);
    for (const std::string& name : names) {
        FairTask task{.name = name};
        task.nice = draw.chance(55) ? 0 : draw.one_of<std::int32_t>({-5, -2, 5, 5, 10});
        task.vruntime = (middle + draw.between(0, 90)) * kTenth;
        task.asleep = static_cast<std::int32_t>(tasks.size()) >= ready;
        if (task.asleep) task.vruntime = draw.between(0, static_cast<std::int32_t>(middle)) * kTenth;
        tasks.push_back(task);
    }
    const NamedPolicy policy = make_policy(is_compat ? "linux-2.6.24:yield=compat" : "linux-2.6.24");
    Driver driver(*policy.policy, static_cast<std::uint32_t>(tasks.size()), kHz);
    driver.initial_machine().of_cpu<fair::QueueOf>(0).min_vruntime = 0;
    for (const FairTask& task : tasks)
        driver.add({.name = task.name,
                    .priority = 20 - task.nice,
                    .sleeping = task.asleep,
                    .set_policy_state = [&task](Machine& m, TaskId p) {
                        m.of_task<fair::TaskOf2624>(p).vruntime = task.vruntime;
                    }});
    driver.schedule();
    const Machine& m = driver.machine();
    const auto clock = [&](TaskId p) { return m.of_task<fair::TaskOf2624>(p).vruntime; };
    const auto is_asleep = [&](TaskId p) { return m.task[p].state != TaskState::runnable; };
    const auto weight = [&](TaskId p) { return fair::weight_of_nice(20 - m.priority[p]).w; };

    const TaskId prev = driver.current();
    const std::int64_t before = clock(prev), ran = draw.between(10, 80) * kTenth;
    std::string told = fmt::format(
        "Linux 2.6.24{}. There are no other tasks. vruntime is in ms; nice 0 weighs 1024.\n\n  task  nice  "
        "weight  vruntime\n",
        is_compat ? " with sched_compat_yield = 1" : "");
    for (const FairTask& task : tasks) {
        const TaskId p = driver.find(task.name);
        told += fmt::format("  {:<5} {:>4} {:>7} {:>9}{}\n", task.name, task.nice, weight(p), in_ms(clock(p)),
                            p == prev     ? "  runs"
                            : task.asleep ? "  asleep"
                                          : "");
    }
    told += fmt::format("\n{} has run for {} ms since its vruntime was updated. {}\n", driver.name(prev),
                        in_ms(ran), event_text(event, driver.name(prev)));

    driver.pass(Nanos{ran});
    happens(driver, event);
    const TaskId next = driver.current();
    if (m.is_idle_task(next)) return std::nullopt;
    std::vector<TaskId> all;
    for (const FairTask& task : tasks) all.push_back(driver.find(task.name));
    std::int64_t most = clock(next), least_of_others = std::numeric_limits<std::int64_t>::max();
    std::uint32_t heaviest = 0;
    for (const TaskId p : all) {
        if (is_asleep(p)) continue;
        if (p != next && clock(p) - clock(next) < kTenth) return std::nullopt;  // rounding might decide
        most = std::max(most, clock(p));
        if (p != prev) least_of_others = std::min(least_of_others, clock(p));
        heaviest = std::max(heaviest, weight(p));
    }
    // The vruntime of prev if weights did not count.
    const std::int64_t unweighted = before + ran;
    const bool yielded = event == Event::yield;
    const auto mistake_of = [&](TaskId p) {
        if (is_asleep(p)) return sleeper_runs;
        if (yielded && is_compat && p == prev) return yielder_runs;
        if (yielded && next == prev) return yield_must_switch;
        if (p == prev) return unweighted < clock(next) ? fair_unweighted : fair_not_charged;
        if (next == prev && unweighted > clock(p) && clock(p) == least_of_others) return fair_unweighted;
        if (weight(p) == heaviest && weight(next) < heaviest) return fair_by_weight;
        return clock(p) == most ? fair_most : fair_not_least;
    };
    std::optional<std::vector<Distractor>> wrong = wrong_ones(all, next, about, settle, mistake_of);
    if (!wrong) return std::nullopt;
    Question q;
    q.situation = std::move(told);
    q.text = "Which task runs next?";
    if (!is_asleep(prev))
        q.explanation = yielded && is_compat
                            ? fmt::format(
                                  "{}'s clock becomes that of the last task in the tree plus a nanosecond, "
                                  "and its run time is added.\n",
                                  driver.name(prev))
                            : fmt::format("{}'s clock advances by {} ms * 1024 / {}, to {} ms.\n",
                                          driver.name(prev), in_ms(ran), weight(prev), in_ms(clock(prev)));
    q.explanation += explain_decision(
        driver.log(), policy, [&](TaskId p) { return driver.name(p); }, "", all.size());
    finish(q, driver, std::move(*wrong), about, draw);
    return q;
}

// --- eligible, and the earliest deadline ---

std::optional<Question> draw_eevdf(Draw& draw, Misconception about, bool settle) {
    const Event event = draw.one_of<Event>({Event::resched, Event::resched, Event::yield, Event::block});
    const std::int32_t ready = draw.between(event == Event::block ? 4 : 3, 4);
    const bool one_sleeps = draw.chance(40);
    const std::vector<std::string> names = names_for(draw, ready + (one_sleeps ? 1 : 0));
    const NamedPolicy policy = make_policy("linux-6.6");
    Driver driver(*policy.policy, static_cast<std::uint32_t>(names.size()), kHz);
    driver.initial_machine().of_cpu<fair::QueueOf66>(0).min_vruntime = 0;
    for (const std::string& name : names) driver.add({.name = name});
    driver.schedule();
    // Some turns of simple lengths; one of them may end in a sleep.
    const std::int32_t turns = draw.between(4, 8), sleeps_at = draw.between(1, 3);
    for (std::int32_t i = 0; i < turns; ++i) {
        driver.pass(Nanos{draw.between(2, 14) * kTenth});
        happens(driver, one_sleeps && i == sleeps_at ? Event::block
                        : draw.chance(30)            ? Event::yield
                                                     : Event::resched);
    }
    const Machine& m = driver.machine();
    const auto of = [&](TaskId p) -> const fair::TaskOf66& { return m.of_task<fair::TaskOf66>(p); };
    const auto is_asleep = [&](TaskId p) { return m.task[p].state != TaskState::runnable; };
    std::vector<TaskId> all;
    for (const std::string& name : names) all.push_back(driver.find(name));

    const TaskId prev = driver.current();
    const std::int64_t old_deadline = of(prev).deadline, ran = draw.between(1, 12) * kTenth;
    std::string told =
        "Linux 6.6. There are no other tasks than these, all of nice 0; virtual times are in ms, a slice is "
        "0.75.\n\n  task  vruntime  deadline\n";
    for (const TaskId p : all)
        told += is_asleep(p) ? fmt::format("  {:<5}        -         -  asleep\n", driver.name(p))
                             : fmt::format("  {:<5} {:>8} {:>9}{}\n", driver.name(p), in_ms(of(p).vruntime),
                                           in_ms(of(p).deadline), p == prev ? "  runs" : "");
    told += fmt::format("\n{} has run for {} ms since then. {}\n", driver.name(prev), in_ms(ran),
                        event_text(event, driver.name(prev)));

    driver.pass(Nanos{ran});
    happens(driver, event);
    const TaskId next = driver.current();
    if (m.is_idle_task(next)) return std::nullopt;
    std::int64_t sum = 0, count = 0, least = of(next).vruntime;
    for (const TaskId p : all) {
        if (is_asleep(p)) continue;
        sum += of(p).vruntime;
        ++count;
        least = std::min(least, of(p).vruntime);
    }
    const auto is_eligible = [&](TaskId p) { return of(p).vruntime * count <= sum; };
    for (const TaskId p : all)  // the tree decides between equals, which the question does not show
        if (p != next && !is_asleep(p) && is_eligible(p) && of(p).deadline == of(next).deadline)
            return std::nullopt;
    const bool yielded = event == Event::yield;
    const auto mistake_of = [&](TaskId p) {
        if (is_asleep(p)) return sleeper_runs;
        if (!is_eligible(p))
            return of(p).deadline < of(next).deadline ? eevdf_not_eligible : eevdf_ahead_and_later;
        if (yielded && p == prev) return yielder_runs;
        if (yielded && next == prev) return yield_must_switch;
        if (p == prev && old_deadline < of(next).deadline) return eevdf_old_deadline;
        return of(p).vruntime == least ? eevdf_least_vruntime : eevdf_later_deadline;
    };
    std::optional<std::vector<Distractor>> wrong = wrong_ones(all, next, about, settle, mistake_of);
    if (!wrong) return std::nullopt;
    Question q;
    q.situation = std::move(told);
    q.text = "Which task runs next?";
    q.explanation = fmt::format("The average of the clocks is {} ms:\n", in_ms(sum / count));
    for (const TaskId p : all)
        if (!is_asleep(p))
            q.explanation += fmt::format("  {:<5} vruntime {:>6}  {:<12}  deadline {:>6}\n", driver.name(p),
                                         in_ms(of(p).vruntime), is_eligible(p) ? "eligible" : "not eligible",
                                         in_ms(of(p).deadline));
    q.explanation +=
        fmt::format("{} runs: of the eligible tasks, it has the earliest deadline.\n", driver.name(next));
    finish(q, driver, std::move(*wrong), about, draw);
    return q;
}

std::vector<Misconception> wanted(Level level) {
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

Question make_fair_next(Draw& draw, Level level) {
    using namespace fair_next;
    const Misconception about = draw.one_of(wanted(level));
    for (int drawn = 1;; ++drawn) {
        const bool settle = drawn > kMostDraws;
        std::optional<Question> q =
            level == Level::hard ? draw_eevdf(draw, about, settle) : draw_cfs(draw, level, about, settle);
        if (q) return *q;
    }
}

}  // namespace sim::quiz
