// Question: is this switch voluntary or involuntary, as /proc/PID/status and pidstat count it, and what
// caused the switch? A switch is voluntary if prev is no longer runnable.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "sim/quiz/situation.h"
#include "sim/quiz/topics/topics.h"

namespace sim::quiz {
namespace {

using enum Misconception;

// The possible results of an event.
enum class SwitchCase : std::uint8_t {
    slept,
    yielded,
    slice_over,
    preempted,
    not_preempted,      // a task wakes up but does not preempt
    not_over,           // a tick does not end the slice
    yield_for_nothing,  // the caller of sched_yield() continues
};

Event event_of(SwitchCase c) {
    switch (c) {
        case SwitchCase::slept:
            return Event::block;
        case SwitchCase::yielded:
        case SwitchCase::yield_for_nothing:
            return Event::yield;
        case SwitchCase::slice_over:
        case SwitchCase::not_over:
            return Event::tick;
        case SwitchCase::preempted:
        case SwitchCase::not_preempted:
            return Event::wake;
    }
    return Event::resched;
}

// Adds the right answer, then wrong answers with their mistakes. `other_name`: another task, which an answer
// names as the cause.
void add_choices(Question& q, SwitchCase wanted, const std::string& task_name,
                 const std::string& other_name) {
    const std::string by_itself = fmt::format("voluntary, by {} itself", task_name);
    const std::string pushed_itself = fmt::format("involuntary, by {} itself", task_name);
    const std::string slice = "involuntary, because the slice is used up";
    const std::string pushed = fmt::format("involuntary, because of {}", other_name);
    const std::string nothing = fmt::format("no switch: {} continues", task_name);
    const auto add = [&](const std::string& right, std::initializer_list<Choice> wrong) {
        q.choices.push_back({right});
        for (const Choice& choice : wrong) add_wrong_choice(q, choice.text, choice.misconception);
    };
    switch (wanted) {
        case SwitchCase::slept:
            return add(
                by_itself,
                {{pushed_itself, sleep_is_involuntary}, {pushed, blames_next}, {slice, blames_the_slice}});
        case SwitchCase::yielded:
            return add(pushed_itself,
                       {{by_itself, yield_is_voluntary}, {pushed, blames_next}, {nothing, switch_missed}});
        case SwitchCase::slice_over:
            return add(slice, {{by_itself, preemption_is_voluntary},
                               {pushed, end_of_slice_unseen},
                               {nothing, switch_missed}});
        case SwitchCase::preempted:
            return add(
                pushed,
                {{by_itself, preemption_is_voluntary}, {slice, blames_the_slice}, {nothing, switch_missed}});
        case SwitchCase::not_preempted:
            return add(nothing, {{pushed, small_advantage_preempts},
                                 {slice, blames_the_slice},
                                 {by_itself, small_advantage_preempts}});
        case SwitchCase::not_over:
            return add(nothing,
                       {{slice, slice_ends_at_zero}, {by_itself, slice_ends_at_zero}, {pushed, blames_next}});
        case SwitchCase::yield_for_nothing:
            return add(nothing, {{pushed_itself, yield_must_switch},
                                 {by_itself, yield_is_voluntary},
                                 {pushed, yield_must_switch}});
    }
}

SituationLimits limits_for(SwitchCase wanted, Level level) {
    SituationLimits limits{
        .policies = {"linux-2.0"}, .least_ready = 2, .most_ready = 3, .events = {event_of(wanted)}};
    if (level == Level::medium) limits.policies = {"linux-2.0", "linux-2.0:yield=one_tick"};
    if (level == Level::hard) {
        limits.policies = {"linux-2.0:yield=one_tick", "linux-2.2"};
        limits.most_ready = 4;
    }
    if (wanted == SwitchCase::yield_for_nothing) limits.policies = {"linux-2.0:yield=one_tick"};
    return limits;
}

// The result of an event.
struct SwitchOutcome {
    TaskId prev, next;  // equal if there was no switch
    bool switched, voluntary;
};

SwitchOutcome outcome_of(const Situation& s, const SituationResult& played) {
    SwitchOutcome o{};
    o.prev = played.ids[s.running];
    o.next = played.scheduled ? played.next() : o.prev;
    o.switched = o.next != o.prev;
    o.voluntary = o.switched && !played.log.prev_runnable;
    return o;
}

// True if the simulated result is the case that the question needs.
bool is_wanted(SwitchCase wanted, const Situation& s, const SituationResult& played, const SwitchOutcome& o) {
    const bool wants_switch = wanted == SwitchCase::slept || wanted == SwitchCase::yielded ||
                              wanted == SwitchCase::slice_over || wanted == SwitchCase::preempted;
    if (o.switched != wants_switch || played.after.is_idle_task(o.next)) return false;
    // The answers name the woken task as the cause, so this task must run next.
    if (s.event == Event::wake && o.switched && o.next != played.ids[s.woken]) return false;
    return o.voluntary == (wanted == SwitchCase::slept);
}

std::string explanation_of(SwitchCase wanted, const Situation& s, const SituationResult& played,
                           const SwitchOutcome& outcome, const std::string& other_name) {
    const std::string task_name = played.name(outcome.prev);
    const std::int32_t counter = played.before.counter[outcome.prev];
    if (played.scheduled)
        return played.explanation() +
               (!outcome.switched ? fmt::format("{} keeps the CPU: no switch is counted.\n", task_name)
                : outcome.voluntary
                    ? fmt::format("{} is no longer runnable: a voluntary switch.\n", task_name)
                    : fmt::format("{} is still runnable: an involuntary switch.\n", task_name));
    if (wanted == SwitchCase::not_preempted)
        return fmt::format(
            "{}'s counter is {}, {}'s is {}: need_resched is set when the first is more than {} above the "
            "second.\n",
            other_name, played.before.counter[played.ids[s.woken]], task_name, counter, 3);
    return fmt::format(
        "{}'s counter goes from {} to {}; need_resched is set by the tick that would take it below 0.\n",
        task_name, counter, played.after.counter[outcome.prev]);
}

}  // namespace

Question make_voluntary(RandomDraw& draw, Level level) {
    std::vector<SwitchCase> cases{SwitchCase::slept, SwitchCase::yielded, SwitchCase::slice_over,
                                  SwitchCase::preempted, SwitchCase::not_preempted};
    if (level != Level::easy)
        cases.insert(cases.end(), {SwitchCase::not_over, SwitchCase::yield_for_nothing});
    const SwitchCase wanted = draw.one_of(cases);
    const SituationLimits limits = limits_for(wanted, level);
    for (;;) {
        Situation s = make_random_situation(draw, limits);
        if (wanted == SwitchCase::not_over) s.tasks[s.running].counter = 1;
        if (wanted == SwitchCase::not_preempted || wanted == SwitchCase::preempted) {
            // The woken task preempts if its counter is more than 3 above prev's. The difference is near 3.
            s.tasks[s.running].counter = std::max(s.tasks[s.running].counter, 2);
            s.tasks[s.woken].counter = s.tasks[s.running].counter + draw.between(1, 7);
        }
        const SituationResult played = simulate_situation(s);
        const SwitchOutcome outcome = outcome_of(s, played);
        if (!is_wanted(wanted, s, played, outcome)) continue;
        const std::string task_name = played.name(outcome.prev);
        const std::string other = s.event == Event::wake ? s.tasks[s.woken].name
                                  : outcome.switched     ? played.name(outcome.next)
                                                         : s.tasks[s.running == 0 ? 1 : 0].name;
        Question q;
        q.situation = played.told;
        q.text = fmt::format(
            "Which kind of switch would /proc/PID/status of a later kernel count for {} now, if any? Why?",
            task_name);
        add_choices(q, wanted, task_name, other);
        q.explanation = explanation_of(wanted, s, played, outcome, other);
        shuffle_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
