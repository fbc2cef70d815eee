// Question: does this schedule() recalculate the counters, and what are they afterwards?
#include <fmt/format.h>

#include <algorithm>

#include "sim/quiz/situation.h"
#include "sim/quiz/topics/topics.h"

namespace sim::quiz {
namespace {

using enum Misconception;

SituationLimits recalculation_limits(Level level) {
    SituationLimits limits{.policies = {"linux-2.0"},
                           .least_ready = 2,
                           .most_ready = 3,
                           .most_asleep = 2,
                           .events = {Event::tick, Event::yield, Event::block, Event::resched}};
    if (level != Level::easy) {
        limits.policies = {"linux-2.0", "linux-2.0:yield=one_tick", "linux-2.2"};
        limits.priorities = 50;
        limits.real_time = 10;
    }
    if (level == Level::hard) {
        limits.policies = {"linux-2.2", "linux-2.4.0", "linux-2.4.22"};
        limits.most_ready = 4;
    }
    return limits;
}

using Counters = std::vector<std::int32_t>;  // in the order of SituationResult::ids

std::string text_of(const SituationResult& played, const Counters& counters, bool recalculated) {
    std::vector<std::pair<std::string, std::int32_t>> rows;
    for (std::size_t i = 0; i < counters.size(); ++i)
        rows.emplace_back(played.name(played.ids[i]), counters[i]);
    std::sort(rows.begin(), rows.end());
    std::string text = recalculated ? "yes: " : "no: ";
    for (const auto& [name, counter] : rows)
        text += fmt::format("{}{} {}", name == rows.front().first ? "" : ", ", name, counter);
    return text;
}

// If `none_runnable`, changes the tasks so that none is runnable after the event. Otherwise, if
// `recalculates`, changes the counters so that this schedule() recalculates.
void prepare_recalculation(Situation& s, bool recalculates, bool none_runnable) {
    if (none_runnable) {
        for (std::size_t i = 0; i < s.tasks.size(); ++i) s.tasks[i].sleeping = i != s.running;
        s.event = Event::block;
    } else if (recalculates) {  // sets counters to 0, so that usually no runnable task has ticks left
        for (std::size_t i = 0; i < s.tasks.size(); ++i)
            if (!s.tasks[i].sleeping && (i != s.running || s.event == Event::tick)) s.tasks[i].counter = 0;
        if (s.event == Event::resched) s.tasks[s.running].counter = 0;
    }
    if (s.event == Event::tick && s.policy.starts_with("linux-2.4")) s.tasks[s.running].counter = 1;
}

enum class KeptCounter : std::uint8_t { half, nothing, all };

// The right answer after simulating a situation, and the wrong answers that mistakes lead to.
class RecalculationAnswers {
  public:
    RecalculationAnswers(const SituationResult& played, const std::string& policy)
        : played_(played), of_2_4_(policy.starts_with("linux-2.4")) {
        for (const TaskId p : played_.ids) {
            after_.push_back(played_.after.counter[p]);
            std::int32_t counter = after_.back();
            for (const CounterChange& r : played_.log.counter_changes)
                if (r.task == p) counter = r.before;
            found_.push_back(counter);
            asleep_ += is_asleep(p) ? 1 : 0;
        }
    }

    bool any_asleep() const { return asleep_ > 0; }
    bool recalculates() const { return played_.log.decision.recalculations > 0; }
    std::string right_answer() const { return text_of(played_, after_, recalculates()); }
    // The answer that no recalculation occurs and all counters keep the values that they had before
    // schedule().
    std::string unchanged_answer() const { return text_of(played_, found_, false); }

    // The wrong answers. `none_runnable`: no task is runnable.
    std::vector<Choice> wrong_answers(bool none_runnable) const {
        std::vector<Choice> wrong;
        const auto offer = [&](const Counters& counters, bool yes, Misconception mistake) {
            wrong.push_back({text_of(played_, counters, yes), mistake});
        };
        if (recalculates()) {
            offer(recalculated_counters(KeptCounter::half, false, false), true, recalculation_runnable_only);
            offer(recalculated_counters(KeptCounter::nothing, true, false), true, recalculation_replaces);
            offer(recalculated_counters(KeptCounter::all, true, false), true, recalculation_adds_all);
            if (of_2_4_)
                offer(recalculated_counters(KeptCounter::half, true, true), true, recalculation_by_priority);
        } else {
            offer(recalculated_counters(KeptCounter::half, true, false), true,
                  none_runnable ? recalculation_for_idle : recalculation_unneeded);
            offer(recalculated_counters(KeptCounter::half, false, false), true,
                  none_runnable ? recalculation_for_idle : recalculation_unneeded);
            offer(recalculated_counters(KeptCounter::nothing, true, false), true,
                  none_runnable ? recalculation_for_idle : recalculation_unneeded);
        }
        return wrong;
    }

  private:
    bool is_asleep(TaskId p) const { return played_.after.task[p].state != TaskState::runnable; }

    // The counters after a recalculation. `kept_part`: the part of the old counters that is kept.
    // `include_sleepers`: sleeping tasks are recalculated, too. `whole_priority`: the new slice equals the
    // priority even in 2.4.
    Counters recalculated_counters(KeptCounter kept_part, bool include_sleepers, bool whole_priority) const {
        Counters counters;
        for (std::size_t i = 0; i < found_.size(); ++i) {
            const TaskId p = played_.ids[i];
            const bool skipped = !include_sleepers && is_asleep(p);
            const std::int32_t priority = played_.after.priority[p];
            const std::int32_t slice = of_2_4_ && !whole_priority ? (priority >> 2) + 1 : priority;
            const std::int32_t kept = kept_part == KeptCounter::half  ? found_[i] / 2
                                      : kept_part == KeptCounter::all ? found_[i]
                                                                      : 0;
            counters.push_back(skipped ? found_[i] : kept + slice);
        }
        return counters;
    }

    const SituationResult& played_;
    const bool of_2_4_;
    Counters found_, after_;  // counters before and after the recalculation
    std::int32_t asleep_ = 0;
};

}  // namespace

Question make_recalculation(RandomDraw& draw, Level level) {
    const SituationLimits limits = recalculation_limits(level);
    // About half of the questions contain a recalculation. Some of the questions without a recalculation have
    // no runnable task.
    const bool recalculates = draw.chance(55);
    const bool none_runnable = !recalculates && draw.chance(25);
    for (;;) {
        Situation s = make_random_situation(draw, limits);
        prepare_recalculation(s, recalculates, none_runnable);
        const SituationResult played = simulate_situation(s);
        if (!played.scheduled) continue;
        const RecalculationAnswers answers(played, s.policy);
        if (answers.recalculates() != recalculates ||
            played.after.is_idle_task(played.next()) != none_runnable)
            continue;
        // Rejects most situations with a recalculation but without a sleeping task.
        if (recalculates && !answers.any_asleep() && draw.chance(80)) continue;

        Question q;
        q.situation = played.told;
        q.text = "Does this schedule() recalculate the counters of all tasks? What are they when it returns?";
        q.explanation = played.explanation();
        q.choices.push_back({answers.right_answer()});
        std::vector<Choice> wrong_answers = answers.wrong_answers(none_runnable);
        draw.shuffle(wrong_answers);
        if (recalculates)
            wrong_answers.insert(wrong_answers.begin(), {answers.unchanged_answer(), recalculation_missed});
        for (Choice& choice : wrong_answers)
            add_wrong_choice(q, std::move(choice.text), choice.misconception);
        if (q.choices.size() < 4) continue;
        shuffle_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
