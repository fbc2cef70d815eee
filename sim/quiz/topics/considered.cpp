// Question: how many tasks does this schedule() consider, and how many counters does it recalculate? The
// explanation adds the costs.
#include <fmt/format.h>

#include "sim/base/units.h"
#include "sim/quiz/situation.h"
#include "sim/quiz/topics/topics.h"
#include "sim/scenario/scenario_json.h"

namespace sim::quiz {
namespace {

using enum Misconception;

constexpr const char* kMachine = "pentium-mmx-200";

SituationLimits considered_limits(Level level) {
    SituationLimits limits{.policies = {"linux-2.0"},
                           .least_ready = 3,
                           .most_ready = 6,
                           .most_asleep = 3,
                           .used_up = 25,
                           .events = {Event::resched, Event::block, Event::yield, Event::tick}};
    if (level == Level::medium) limits.policies = {"linux-2.0", "linux-2.2", "sorted-queue"};
    if (level == Level::hard) limits.policies = {"sorted-queue", "linux-2.4.0", "linux-2.4.22"};
    return limits;
}

std::string text_of(std::size_t considered, std::size_t recalculated) {
    return fmt::format("tasks examined: {}, counters recalculated: {}", considered, recalculated);
}

// The cost of the decision's work on the computer kMachine, which dates from the time of the kernels in the
// question.
std::string cost_of(const Decision& d) {
    static const Scenario scenario = parse_scenario(
        "quiz", fmt::format(R"({{"format": "switchyard-scenario/1", "machine": "{}", "policy": "linux-2.0",
                "until": "1s", "tasks": [{{"name": "A", "program": [{{"run": "1s"}}]}}]}})",
                            kMachine));
    const Overhead cost = CostCalculator(scenario.machine.costs)
                              .overhead_of({.considered = d.considered,
                                            .queue_steps = d.queue_steps,
                                            .recalculated = d.recalculated,
                                            .scheduled = true});
    return fmt::format("On a {}, the search costs {} and the recalculation costs {}.\n", kMachine,
                       format_time(cost.select),
                       cost.recalculation == Nanos{} ? "nothing" : format_time(cost.recalculation));
}

}  // namespace

Question make_considered(RandomDraw& draw, Level level) {
    const SituationLimits limits = considered_limits(level);
    const bool recalculates = draw.chance(45);
    for (;;) {
        Situation s = make_random_situation(draw, limits);
        if (recalculates) {
            for (std::size_t i = 0; i < s.tasks.size(); ++i)
                if (!s.tasks[i].sleeping && i != s.running) s.tasks[i].counter = 0;
        }
        const SituationResult played = simulate_situation(s);
        if (!played.scheduled || played.after.is_idle_task(played.next())) continue;
        const Decision& d = played.log.decision;
        if ((d.recalculations > 0) != recalculates) continue;

        const std::size_t all = s.tasks.size();
        const std::size_t ready_count = s.ready_count() - (played.log.prev_runnable ? 0 : 1);
        if (ready_count == all && draw.chance(80)) continue;
        std::vector<Choice> wrong;
        for (const ConsideredCountAnswer& count :
             considered_count_answers(played.log, played.after, played.policy))
            if (count.misconception != none)
                wrong.push_back({text_of(count.tasks, d.recalculated), count.misconception});
        if (recalculates) {
            wrong.push_back({text_of(d.considered, 0), recalculation_missed});
            if (ready_count < all)
                wrong.push_back({text_of(d.considered, ready_count), recalculation_runnable_only});
        } else {
            wrong.push_back({text_of(d.considered, all), recalculation_unneeded});
        }
        Question q;
        q.situation = played.told;
        q.text =
            s.policy == "sorted-queue"
                ? "How many tasks does schedule() compare, including the running one if it is still "
                  "runnable, and how many counters does schedule() recalculate?"
                : "How many tasks does schedule() examine on the run queue, counted again if it searches "
                  "again, and how many counters does it recalculate?";
        q.explanation = played.explanation() + cost_of(d);
        q.choices.push_back({text_of(d.considered, d.recalculated)});
        draw.shuffle(wrong);
        for (Choice& choice : wrong) add_wrong_choice(q, std::move(choice.text), choice.misconception);
        if (q.choices.size() < (s.policy == "sorted-queue" ? 3u : 4u)) continue;
        shuffle_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
