// Voluntary or involuntary, as /proc/PID/status and pidstat count it, and who is to blame: prev is no longer
// runnable, or it is.
#include <fmt/format.h>

#include <algorithm>

#include "sim/quiz/situation.h"
#include "sim/quiz/topics/topics.h"

namespace sim::quiz {
namespace {

using enum Misconception;

// What can come of an event.
enum class Case : std::uint8_t {
    slept,
    yielded,
    slice_over,
    preempted,
    not_preempted,
    not_over,
    yield_for_nothing
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

}  // namespace

Question make_voluntary(Draw& draw, Level level) {
    std::vector<Case> cases{Case::slept, Case::yielded, Case::slice_over, Case::preempted,
                            Case::not_preempted};
    if (level != Level::easy) cases.insert(cases.end(), {Case::not_over, Case::yield_for_nothing});
    const Case wanted = draw.one_of(cases);
    Range range{.policies = {"linux-2.0"}, .least_ready = 2, .most_ready = 3, .events = {event_of(wanted)}};
    range.policies = level == Level::easy ? std::vector<std::string>{"linux-2.0"}
                     : level == Level::medium
                         ? std::vector<std::string>{"linux-2.0", "linux-2.0:yield=one_tick"}
                         : std::vector<std::string>{"linux-2.0:yield=one_tick", "linux-2.2"};
    if (wanted == Case::yield_for_nothing) range.policies = {"linux-2.0:yield=one_tick"};
    if (level == Level::hard) range.most_ready = 4;
    for (;;) {
        Situation s = draw_situation(draw, range);
        if (wanted == Case::not_over) s.tasks[s.running].counter = 1;
        if (wanted == Case::not_preempted || wanted == Case::preempted) {  // near the limit of 3
            s.tasks[s.running].counter = std::max(s.tasks[s.running].counter, 2);
            s.tasks[s.woken].counter = s.tasks[s.running].counter + draw.between(1, 7);
        }
        const Played played = play(s);
        const TaskId prev = played.ids[s.running];
        const TaskId next = played.scheduled ? played.next() : prev;
        const bool switched = next != prev;
        const bool wants_switch = wanted == Case::slept || wanted == Case::yielded ||
                                  wanted == Case::slice_over || wanted == Case::preempted;
        if (switched != wants_switch || played.after.is_idle_task(next)) continue;
        // Whoever was woken is whom one would blame.
        if (s.event == Event::wake && switched && next != played.ids[s.woken]) continue;
        const bool voluntary = switched && !played.log.prev_runnable;

        const std::string who = played.name(prev);
        const std::string other = s.event == Event::wake ? s.tasks[s.woken].name
                                  : switched             ? played.name(next)
                                                         : s.tasks[s.running == 0 ? 1 : 0].name;
        const std::string by_itself = fmt::format("voluntary, by {} itself", who);
        const std::string pushed_itself = fmt::format("involuntary, by {} itself", who);
        const std::string slice = "involuntary, because the slice is used up";
        const std::string pushed = fmt::format("involuntary, because of {}", other);
        const std::string nothing = fmt::format("no switch: {} goes on", who);

        Question q;
        q.situation = played.told;
        q.text = fmt::format("Which switch is counted for {}, and what has brought it about?", who);
        const auto right = [&](const std::string& text) { q.choices.push_back({text}); };
        switch (wanted) {
            case Case::slept:
                right(by_itself);
                add_choice(q, pushed_itself, sleep_is_involuntary);
                add_choice(q, pushed, blames_next);
                add_choice(q, slice, blames_the_slice);
                break;
            case Case::yielded:
                right(pushed_itself);
                add_choice(q, by_itself, yield_is_voluntary);
                add_choice(q, pushed, blames_next);
                add_choice(q, nothing, switch_missed);
                break;
            case Case::slice_over:
                right(slice);
                add_choice(q, by_itself, preemption_is_voluntary);
                add_choice(q, pushed, end_of_slice_unseen);
                add_choice(q, nothing, switch_missed);
                break;
            case Case::preempted:
                right(pushed);
                add_choice(q, by_itself, preemption_is_voluntary);
                add_choice(q, slice, blames_the_slice);
                add_choice(q, nothing, switch_missed);
                break;
            case Case::not_preempted:
                right(nothing);
                add_choice(q, pushed, small_advantage_preempts);
                add_choice(q, slice, blames_the_slice);
                add_choice(q, by_itself, small_advantage_preempts);
                break;
            case Case::not_over:
                right(nothing);
                add_choice(q, slice, slice_ends_at_zero);
                add_choice(q, by_itself, slice_ends_at_zero);
                add_choice(q, pushed, blames_next);
                break;
            case Case::yield_for_nothing:
                right(nothing);
                add_choice(q, pushed_itself, yield_must_switch);
                add_choice(q, by_itself, yield_is_voluntary);
                add_choice(q, pushed, yield_must_switch);
                break;
        }
        if (played.scheduled)
            q.explanation =
                played.explanation() +
                (!switched   ? fmt::format("{} keeps the CPU: nothing is counted.\n", who)
                 : voluntary ? fmt::format("{} is no longer runnable: a voluntary switch.\n", who)
                             : fmt::format("{} is still runnable: an involuntary switch.\n", who));
        else if (wanted == Case::not_preempted)
            q.explanation = fmt::format(
                "{}'s counter is {}, {}'s is {}: need_resched is set when it is more than {} above it.\n",
                other, played.before.counter[played.ids[s.woken]], who, played.before.counter[prev], 3);
        else
            q.explanation = fmt::format(
                "{}'s counter goes from {} to {}; need_resched is set by the tick that would take it below "
                "0.\n",
                who, played.before.counter[prev], played.after.counter[prev]);
        // The case has to be what the engine made of it.
        if (voluntary != (wanted == Case::slept)) continue;
        finish_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
