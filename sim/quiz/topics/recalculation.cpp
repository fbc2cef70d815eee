// Question: does this schedule() recalculate the counters, and what are they afterwards?
#include <fmt/format.h>

#include <algorithm>

#include "sim/quiz/situation.h"
#include "sim/quiz/topics/topics.h"

namespace sim::quiz {
namespace {

using enum Misconception;

Range recalculation_range(Level level) {
    Range range{.policies = {"linux-2.0"},
                .least_ready = 2,
                .most_ready = 3,
                .most_asleep = 2,
                .events = {Event::tick, Event::yield, Event::block, Event::resched}};
    if (level != Level::easy) {
        range.policies = {"linux-2.0", "linux-2.0:yield=one_tick", "linux-2.2"};
        range.priorities = 50;
        range.real_time = 10;
    }
    if (level == Level::hard) {
        range.policies = {"linux-2.2", "linux-2.4.0", "linux-2.4.22"};
        range.most_ready = 4;
    }
    return range;
}

using Counters = std::vector<std::int32_t>;  // in the order of SituationResult::ids

std::string text_of(const SituationResult& played, const Counters& counters, bool refilled) {
    std::vector<std::pair<std::string, std::int32_t>> rows;
    for (std::size_t i = 0; i < counters.size(); ++i)
        rows.emplace_back(played.name(played.ids[i]), counters[i]);
    std::sort(rows.begin(), rows.end());
    std::string text = refilled ? "yes: " : "no: ";
    for (const auto& [name, counter] : rows)
        text += fmt::format("{}{} {}", name == rows.front().first ? "" : ", ", name, counter);
    return text;
}

}  // namespace

Question make_recalculation(Draw& draw, Level level) {
    const Range range = recalculation_range(level);
    // About half of the questions are about a recalculation; some of the others have no runnable task.
    const bool refill = draw.chance(55);
    const bool nobody = !refill && draw.chance(25);
    for (;;) {
        Situation s = draw_situation(draw, range);
        if (nobody) {
            for (std::size_t i = 0; i < s.tasks.size(); ++i) s.tasks[i].sleeping = i != s.running;
            s.event = Event::block;
        } else if (refill) {  // no task that is and remains runnable has ticks left
            for (std::size_t i = 0; i < s.tasks.size(); ++i)
                if (!s.tasks[i].sleeping && (i != s.running || s.event == Event::tick))
                    s.tasks[i].counter = 0;
            if (s.event == Event::resched) s.tasks[s.running].counter = 0;
        }
        if (s.event == Event::tick && s.policy.starts_with("linux-2.4")) s.tasks[s.running].counter = 1;
        const SituationResult played = play(s);
        if (!played.scheduled) continue;
        const bool refilled = played.log.decision.recalcs > 0;
        if (refilled != refill || played.after.is_idle_task(played.next()) != nobody) continue;

        // As the search found them, and afterwards.
        Counters found, after;
        std::int32_t asleep = 0;
        for (const TaskId p : played.ids) {
            after.push_back(played.after.counter[p]);
            std::int32_t counter = after.back();
            for (const CounterChange& r : played.log.refills)
                if (r.task == p) counter = r.before;
            found.push_back(counter);
            asleep += played.after.task[p].state != TaskState::runnable ? 1 : 0;
        }
        // Most of these questions need a sleeping task.
        if (refill && asleep == 0 && draw.chance(80)) continue;
        // The counters that a mistake leads to: in the part that is kept, the tasks included, or the new
        // slice.
        const bool of_2_4 = s.policy.starts_with("linux-2.4");
        enum class Keep : std::uint8_t { half, nothing, all };
        const auto refilled_by = [&](Keep keep, bool sleepers, bool whole_priority) {
            Counters counters;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const TaskId p = played.ids[i];
                const bool skipped = !sleepers && played.after.task[p].state != TaskState::runnable;
                const std::int32_t priority = played.after.priority[p];
                const std::int32_t slice = of_2_4 && !whole_priority ? (priority >> 2) + 1 : priority;
                const std::int32_t kept = keep == Keep::half  ? found[i] / 2
                                          : keep == Keep::all ? found[i]
                                                              : 0;
                counters.push_back(skipped ? found[i] : kept + slice);
            }
            return counters;
        };
        Question q;
        q.situation = played.told;
        q.text = "Does this schedule() recalculate the counters of all tasks? What are they when it returns?";
        q.explanation = played.explanation();
        q.choices.push_back({text_of(played, after, refilled)});
        std::vector<Choice> wrong;
        const auto offer = [&](const Counters& counters, bool yes, Misconception mistake) {
            wrong.push_back({text_of(played, counters, yes), mistake});
        };
        if (refilled) {
            offer(refilled_by(Keep::half, false, false), true, refill_runnable_only);
            offer(refilled_by(Keep::nothing, true, false), true, refill_replaces);
            offer(refilled_by(Keep::all, true, false), true, refill_adds_all);
            if (of_2_4) offer(refilled_by(Keep::half, true, true), true, refill_by_priority);
        } else {
            offer(refilled_by(Keep::half, true, false), true, nobody ? refill_for_idle : refill_unasked);
            offer(refilled_by(Keep::half, false, false), true, nobody ? refill_for_idle : refill_unasked);
            offer(refilled_by(Keep::nothing, true, false), true, nobody ? refill_for_idle : refill_unasked);
        }
        draw.shuffle(wrong);
        if (refilled) wrong.insert(wrong.begin(), {text_of(played, found, false), refill_missed});
        for (Choice& choice : wrong) add_choice(q, std::move(choice.text), choice.misconception);
        if (q.choices.size() < 4) continue;
        finish_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
