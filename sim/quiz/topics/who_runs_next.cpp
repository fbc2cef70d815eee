// Question: which task runs next? A mistake is drawn at random, then situations are drawn until one of them
// allows this mistake.
#include <algorithm>

#include "sim/quiz/situation.h"
#include "sim/quiz/topics/topics.h"

namespace sim::quiz {
namespace {

using enum Misconception;

constexpr int kMostDraws = 400;

SituationLimits who_runs_next_limits(Level level) {
    SituationLimits limits{
        .policies = {"linux-2.0"},
        .events = {Event::resched, Event::resched, Event::tick, Event::yield, Event::wake, Event::block}};
    switch (level) {
        case Level::easy:
            limits.priorities = 20;
            break;
        case Level::medium:
            limits.policies = {"linux-2.0", "linux-2.0", "linux-2.0:yield=one_tick", "linux-2.2"};
            limits.most_ready = 5;
            limits.real_time = 20;
            limits.priorities = 30;
            break;
        case Level::hard:
            limits.policies = {"linux-2.0:yield=one_tick", "linux-2.2", "linux-2.4.0", "linux-2.4.22"};
            limits.least_ready = 4;
            limits.most_ready = 6;
            limits.most_asleep = 2;
            limits.real_time = 20;
            limits.priorities = 40;
            break;
    }
    return limits;
}

// The mistakes that a question may be about.
std::vector<Misconception> mistakes_for_level(Level level) {
    std::vector<Misconception> list{forgot_prev_bonus,       tie_to_last,  tie_to_prev,
                                    after_the_recalculation, yielder_runs, zero_gets_bonus};
    if (level == Level::easy) list.insert(list.end(), {priority_is_goodness, sleeper_runs});
    if (level == Level::medium)
        list.insert(list.end(), {priority_is_goodness, forgot_real_time, real_time_by_counter,
                                 yield_must_switch, forgot_priority, forgot_mm});
    if (level == Level::hard)
        list.insert(list.end(), {tie_from_prev, before_the_recalculation, yield_must_switch, forgot_priority,
                                 forgot_mm, real_time_by_counter});
    return list;
}

}  // namespace

Question make_who_runs_next(RandomDraw& draw, Level level) {
    const SituationLimits limits = who_runs_next_limits(level);
    const Misconception about = draw.one_of(mistakes_for_level(level));
    for (int drawn = 1;; ++drawn) {
        const Situation s = make_random_situation(draw, limits);
        const SituationResult played = simulate_situation(s);
        if (!played.scheduled || played.after.is_idle_task(played.next())) continue;
        const bool yielded = s.event == Event::yield;
        std::vector<std::pair<Misconception, TaskId>> wrong;
        bool has = false;
        for (const TaskId p : played.ids) {
            const Misconception mistake = played.mistake(p, yielded);
            if (mistake == none) continue;
            wrong.emplace_back(mistake, p);
            has = has || mistake == about;
        }
        if (wrong.size() < 2 || (!has && drawn < kMostDraws)) continue;

        // Sorts the wrong answers: first an answer with the mistake `about`, then one answer for each other
        // mistake, then answers that repeat a mistake.
        draw.shuffle(wrong);
        const auto rank = [&](std::size_t i) {
            const Misconception mistake = wrong[i].first;
            const bool again = std::any_of(wrong.begin(), wrong.begin() + static_cast<std::ptrdiff_t>(i),
                                           [&](const auto& w) { return w.first == mistake; });
            if (again) return 3;
            if (mistake == about) return 0;
            return mistake == lower_goodness || mistake == sleeper_runs ? 2 : 1;
        };
        std::vector<std::pair<int, TaskId>> order;
        for (std::size_t i = 0; i < wrong.size(); ++i) order.emplace_back(rank(i), static_cast<TaskId>(i));
        std::sort(order.begin(), order.end());
        Question q;
        q.situation = played.told;
        q.text = "Which task runs next?";
        q.explanation = played.explanation();
        q.choices.push_back({played.name(played.next())});
        for (const auto& [unused, i] : order)
            add_wrong_choice(q, played.name(wrong[i].second), wrong[i].first);
        std::sort(q.choices.begin(), q.choices.end(),
                  [](const Choice& a, const Choice& b) { return a.text < b.text; });
        return q;
    }
}

}  // namespace sim::quiz
