// Question: is this switch voluntary or involuntary, as /proc/PID/status and pidstat count it, and what
// caused it? It is voluntary if prev is no longer runnable.
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
enum class Case : std::uint8_t {
    slept,
    yielded,
    slice_over,
    preempted,
    not_preempted,      // a task wakes up but does not preempt
    not_over,           // a tick does not end the slice
    yield_for_nothing,  // the caller of sched_yield() continues
};

Event event_of(Case c) {
    switch (c) {
        case Case::slept:
            return Event::block;
        case Case::yielded:
        case Case::yield_for_nothing:
            return Event::yield;
        case Case::slice_over:
        case Case::not_over:
            return Event::tick;
        case Case::preempted:
        case Case::not_preempted:
            return Event::wake;
    }
    return Event::resched;
}

// Adds the right answer, then wrong answers with their mistakes. `other`: another task, which an answer
// names as the cause.
void add_choices(Question& q, Case wanted, const std::string& task_name, const std::string& other) {
    const std::string by_itself = fmt::format("voluntary, by {} itself", task_name);
    const std::string pushed_itself = fmt::format("involuntary, by {} itself", task_name);
    const std::string slice = "involuntary, because the slice is used up";
    const std::string pushed = fmt::format("involuntary, because of {}", other);
    const std::string nothing = fmt::format("no switch: {} continues", task_name);
    const auto add = [&](const std::string& right, std::initializer_list<Choice> wrong) {
        q.choices.push_back({right});
        for (const Choice& choice : wrong) add_choice(q, choice.text, choice.misconception);
    };
    switch (wanted) {
        case Case::slept:
            return add(
                by_itself,
                {{pushed_itself, sleep_is_involuntary}, {pushed, blames_next}, {slice, blames_the_slice}});
        case Case::yielded:
            return add(pushed_itself,
                       {{by_itself, yield_is_voluntary}, {pushed, blames_next}, {nothing, switch_missed}});
        case Case::slice_over:
            return add(slice, {{by_itself, preemption_is_voluntary},
                               {pushed, end_of_slice_unseen},
                               {nothing, switch_missed}});
        case Case::preempted:
            return add(
                pushed,
                {{by_itself, preemption_is_voluntary}, {slice, blames_the_slice}, {nothing, switch_missed}});
        case Case::not_preempted:
            return add(nothing, {{pushed, small_advantage_preempts},
                                 {slice, blames_the_slice},
                                 {by_itself, small_advantage_preempts}});
        case Case::not_over:
            return add(nothing,
                       {{slice, slice_ends_at_zero}, {by_itself, slice_ends_at_zero}, {pushed, blames_next}});
        case Case::yield_for_nothing:
            return add(nothing, {{pushed_itself, yield_must_switch},
                                 {by_itself, yield_is_voluntary},
                                 {pushed, yield_must_switch}});
    }
}

SituationLimits range_for(Case wanted, Level level) {
    SituationLimits range{
        .policies = {"linux-2.0"}, .least_ready = 2, .most_ready = 3, .events = {event_of(wanted)}};
    if (level == Level::medium) range.policies = {"linux-2.0", "linux-2.0:yield=one_tick"};
    if (level == Level::hard) {
        range.policies = {"linux-2.0:yield=one_tick", "linux-2.2"};
        range.most_ready = 4;
    }
    if (wanted == Case::yield_for_nothing) range.policies = {"linux-2.0:yield=one_tick"};
    return range;
}

// The result of an event.
struct Outcome {
    TaskId prev, next;  // equal if there was no switch
    bool switched, voluntary;
};

Outcome outcome_of(const Situation& s, const SituationResult& played) {
    Outcome o{};
    o.prev = played.ids[s.running];
    o.next = played.scheduled ? played.next() : o.prev;
    o.switched = o.next != o.prev;
    o.voluntary = o.switched && !played.log.prev_runnable;
    return o;
}

// True if the simulated result is the case that the question needs.
bool is_wanted(Case wanted, const Situation& s, const SituationResult& played, const Outcome& o) {
    const bool wants_switch = wanted == Case::slept || wanted == Case::yielded ||
                              wanted == Case::slice_over || wanted == Case::preempted;
    if (o.switched != wants_switch || played.after.is_idle_task(o.next)) return false;
    // The answers name the woken task as the cause, so this task must run next.
    if (s.event == Event::wake && o.switched && o.next != played.ids[s.woken]) return false;
    return o.voluntary == (wanted == Case::slept);
}

std::string explanation_of(Case wanted, const Situation& s, const SituationResult& played, const Outcome& o,
                           const std::string& other) {
    const std::string task_name = played.name(o.prev);
    const std::int32_t counter = played.before.counter[o.prev];
    if (played.scheduled)
        return played.explanation() +
               (!o.switched   ? fmt::format("{} keeps the CPU: nothing is counted.\n", task_name)
                : o.voluntary ? fmt::format("{} is no longer runnable: a voluntary switch.\n", task_name)
                              : fmt::format("{} is still runnable: an involuntary switch.\n", task_name));
    if (wanted == Case::not_preempted)
        return fmt::format(
            "{}'s counter is {}, {}'s is {}: need_resched is set when the first is more than {} above the "
            "second.\n",
            other, played.before.counter[played.ids[s.woken]], task_name, counter, 3);
    return fmt::format(
        "{}'s counter goes from {} to {}; need_resched is set by the tick that would take it below 0.\n",
        task_name, counter, played.after.counter[o.prev]);
}

}  // namespace

Question make_voluntary(Draw& draw, Level level) {
    std::vector<Case> cases{Case::slept, Case::yielded, Case::slice_over, Case::preempted,
                            Case::not_preempted};
    if (level != Level::easy) cases.insert(cases.end(), {Case::not_over, Case::yield_for_nothing});
    const Case wanted = draw.one_of(cases);
    const SituationLimits range = range_for(wanted, level);
    for (;;) {
        Situation s = draw_situation(draw, range);
        if (wanted == Case::not_over) s.tasks[s.running].counter = 1;
        if (wanted == Case::not_preempted || wanted == Case::preempted) {  // advantage near the limit of 3
            s.tasks[s.running].counter = std::max(s.tasks[s.running].counter, 2);
            s.tasks[s.woken].counter = s.tasks[s.running].counter + draw.between(1, 7);
        }
        const SituationResult played = simulate_situation(s);
        const Outcome outcome = outcome_of(s, played);
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
        finish_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
