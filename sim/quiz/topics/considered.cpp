// How many tasks does this schedule() look at, how many counters does it refill, and what does that cost?
#include <fmt/format.h>

#include <algorithm>

#include "sim/quiz/situation.h"
#include "sim/quiz/topics/topics.h"
#include "sim/scenario_json.h"

namespace sim::quiz {
namespace {

using enum Misconception;

constexpr const char* kMachine = "pentium-mmx-200";

Range range_of(Level level) {
    Range range{.policies = {"linux-2.0"},
                .least_ready = 3,
                .most_ready = 6,
                .most_asleep = 3,
                .used_up = 25,
                .events = {Event::resched, Event::block, Event::yield, Event::tick}};
    if (level == Level::medium) range.policies = {"linux-2.0", "linux-2.2", "sorted-queue"};
    if (level == Level::hard) range.policies = {"sorted-queue", "linux-2.4.0", "linux-2.4.22"};
    return range;
}

std::string text_of(std::size_t considered, std::size_t refilled) {
    return fmt::format("{} looked at, {} refilled", considered, refilled);
}

// What the work takes on a machine of the time.
std::string cost_of(const Decision& d) {
    static const Scenario scenario = parse_scenario(
        "quiz", fmt::format(R"({{"format": "switchyard-scenario/1", "machine": "{}", "policy": "linux-2.0",
                "until": "1s", "tasks": [{{"name": "A", "program": [{{"run": "1s"}}]}}]}})",
                            kMachine));
    const Overhead cost = Pricing(scenario.machine.costs)
                              .parts({.considered = d.considered,
                                      .queue_steps = d.queue_steps,
                                      .recalculated = d.recalculated,
                                      .scheduled = true});
    return fmt::format("On a {}, that is {} to choose and {} to refill.\n", kMachine,
                       format_time(cost.select),
                       cost.recalc == Nanos{} ? "nothing" : format_time(cost.recalc));
}

}  // namespace

Question make_considered(Draw& draw, Level level) {
    const Range range = range_of(level);
    const bool refill = draw.chance(45);
    for (;;) {
        Situation s = draw_situation(draw, range);
        if (refill) {
            for (std::size_t i = 0; i < s.tasks.size(); ++i)
                if (!s.tasks[i].sleeping && i != s.running) s.tasks[i].counter = 0;
        }
        const Played played = play(s);
        if (!played.scheduled || played.after.is_idle_task(played.next())) continue;
        const Decision& d = played.log.decision;
        if ((d.recalcs > 0) != refill) continue;

        const bool sorted = s.policy == "sorted-queue";
        const bool stays = played.log.prev_runnable;
        const std::size_t all = s.tasks.size();
        const std::size_t ready = s.ready() - (stays ? 0 : 1);
        const std::size_t asleep = all - ready;
        const std::size_t considered = d.considered, refilled = d.recalculated;
        if (asleep == 0 && draw.chance(80)) continue;
        const std::span<const Candidate> search = played.log.last_search();
        const auto winner =
            std::find_if(search.begin(), search.end(), [&](const Candidate& c) { return c.task == d.next; });
        const std::size_t until_best = static_cast<std::size_t>(winner - search.begin()) + 1;
        const bool twice = played.log.searched_before > 0;

        std::vector<Choice> wrong;
        const auto offer = [&](std::size_t looked_at, std::size_t counters, Misconception mistake) {
            wrong.push_back({text_of(looked_at, counters), mistake});
        };
        if (sorted) {
            if (ready > considered) offer(ready, refilled, searches_sorted);
            if (considered == 2) offer(1, refilled, only_the_head);
        } else {
            const std::size_t once = twice ? considered / 2 : considered;
            const std::size_t times = twice ? 2 : 1;
            if (asleep > 0) offer(all * times, refilled, stays ? counts_sleepers : counts_leaver);
            if (stays) offer((once - 1) * times, refilled, skips_prev);
            if (until_best < once && !refill) offer(until_best, refilled, stops_at_best);
            if (twice) offer(once, refilled, one_search);
            if (!twice && refill) offer(once * 2, refilled, two_searches);
            if (!stays) offer(once + 1, refilled, counts_leaver);
        }
        if (refill) {
            offer(considered, 0, refill_missed);
            if (asleep > 0) offer(considered, ready, refill_runnable_only);
        } else {
            offer(considered, all, refill_unasked);
        }
        Question q;
        q.situation = played.told;
        q.text = "How many tasks does schedule() look at, and how many counters does it refill?";
        q.explanation = played.explanation() + cost_of(d);
        q.choices.push_back({text_of(considered, refilled)});
        draw.shuffle(wrong);
        for (Choice& choice : wrong) add_choice(q, std::move(choice.text), choice.misconception);
        if (q.choices.size() < (sorted ? 3u : 4u)) continue;
        finish_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
