#include "sim/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/join.h"

namespace sim {
namespace {

// Maximum number of candidates listed; further candidates are counted.
constexpr std::size_t kMostCandidates = 12;

// Text of the bonuses added to the counter: "+20 priority +1 mm".
std::string bonuses_text(const Candidate& c, const DecisionLog& log) {
    std::string text;
    const auto add = [&](std::int32_t part, const char* what) {
        if (part != 0) text += fmt::format(" {:+} {}", part, what);
    };
    add(c.for_priority, "priority");
    add(c.for_mm, "mm");
    add(bonus_for_prev(c, log), "prev");
    add(bonus_for_last_cpu(c, log), "last CPU");
    return text;
}

std::string recalculation_text(std::uint32_t tasks) {
    return tasks == 2 ? "the counters of both tasks are recalculated"
                      : fmt::format("the counters of all {} tasks are recalculated", tasks);
}

}  // namespace

std::string key_text(const Candidate& c, const NamedPolicy& policy) {
    if (c.remark == CandidateRemark::real_time) return fmt::format("rt_priority {}", c.key);
    return policy.criterion + " " + criterion_value_text(policy.criterion, c.key);
}

const char* reason_not_compared(const Candidate& c) {
    switch (c.remark) {
        case CandidateRemark::none:
            break;
        case CandidateRemark::elsewhere:
            return "runs on another CPU";
        case CandidateRemark::not_allowed:
            return "may not use this CPU";
        case CandidateRemark::yielded:
            return "has yielded";
        case CandidateRemark::asleep:
            return "asleep";
        case CandidateRemark::real_time:
            return "real time";
        case CandidateRemark::buddy:
            return "last buddy";
        case CandidateRemark::not_eligible:
            return "not eligible";
        case CandidateRemark::parity:
            return "keeps the CPU until its deadline";
    }
    return nullptr;
}

namespace {

// The result of a decision by goodness.
struct GoodnessChoice {
    const DecisionLog& log;
    const Candidate& winner;
    std::string task_name;  // name of the winner
    const char* first;      // why it wins against equals: "is first in the queue"
    bool searches;  // true: the policy searches; false: it compares only the head of the queue and prev
};

// Text about the other candidates with the same goodness: " (C has the same goodness, but B is first in the
// queue)".
std::string equal_candidates_text(const GoodnessChoice& choice, const TaskNamer& name) {
    const auto& [log, winner, task_name, first, searches] = choice;
    std::vector<std::string> equals;
    for (const Candidate& c : log.last_search()) {
        if (c.task == winner.task) continue;
        if (c.goodness == winner.goodness) equals.push_back(name(c.task));
    }
    if (equals.size() > 3)
        return fmt::format(" ({} others have the same goodness, but {} {})", equals.size(), task_name, first);
    if (!equals.empty())
        return fmt::format(" ({} {} the same goodness, but {} {})", join(equals, ", "),
                           equals.size() == 1 ? "has" : "have", task_name, first);
    return {};
}

// Text about the bonuses in the winner's goodness: ", including 20 for its priority and 1 for its address
// space".
std::string winner_bonuses_text(const Candidate& winner, const DecisionLog& log) {
    std::string text;
    const auto add = [&](std::int32_t part, const char* reason) {
        if (part > 0) text += fmt::format("{} {} {}", text.empty() ? ", including" : " and", part, reason);
    };
    add(is_real_time(winner) ? 1000 : 0, "for being a real-time task");
    add(bonus_for_prev(winner, log), "for being the running task");
    add(winner.for_priority, "for its priority");
    add(winner.for_mm, "for its address space");
    add(bonus_for_last_cpu(winner, log), "for its last CPU");
    return text;
}

std::string explain_goodness_choice(const GoodnessChoice& choice, const TaskNamer& name) {
    const auto& [log, winner, task_name, first, searches] = choice;
    const std::span<const Candidate> search = log.last_search();
    const auto awake = std::count_if(search.begin(), search.end(),
                                     [](const Candidate& c) { return c.remark != CandidateRemark::asleep; });
    if (awake == 1 && (searches || winner.task == log.prev))
        return fmt::format("{} runs: there is no other candidate{}.", task_name,
                           winner.remark != CandidateRemark::yielded && winner.goodness == 0
                               ? ", and its slice is used up"
                               : "");
    if (winner.remark == CandidateRemark::yielded)
        return fmt::format("{} runs although it has yielded: no ready task has a slice left.", task_name);
    if (winner.goodness == 0) {
        const bool yielded = std::any_of(search.begin(), search.end(), [](const Candidate& c) {
            return c.remark == CandidateRemark::yielded;
        });
        if (yielded)
            return fmt::format("{} runs: every runnable task had a counter of 0 or had yielded, and it {}.",
                               task_name, first);
        return fmt::format("{} runs: every runnable task's counter was 0, and it {}.", task_name, first);
    }
    if (awake == 1)
        return fmt::format("{} runs: it is at the head of the queue, with goodness {}.", task_name,
                           winner.goodness);
    return fmt::format("{} runs: its goodness {} is the highest", task_name, winner.goodness) +
           equal_candidates_text(choice, name) + winner_bonuses_text(winner, log) + ".";
}

}  // namespace

std::string why_winner_won(const DecisionLog& log, const NamedPolicy& policy, const TaskNamer& name) {
    const TaskId next = log.decision.next;
    const std::string task_name = name(next);
    // A policy that does not keep running tasks queued makes no search: it compares the head of the queue
    // with prev.
    const bool searches = policy.policy->keeps_running_task_queued();
    const char* const first = log.prev_first && next == log.prev ? "is already running"
                              : searches                         ? "is first in the queue"
                                                                 : "came first";
    const std::string criterion = policy.criterion;
    const std::span<const Candidate> search = log.last_search();
    const auto winner = std::find_if(search.begin(), search.end(), [&](const Candidate& c) {
        return c.task == next && c.remark != CandidateRemark::asleep;
    });
    if (winner == search.end()) return "No task is ready for this CPU: the idle task runs.";
    if (policy.why) return fmt::format("{} runs: {}", task_name, policy.why(log, *winner));
    if (criterion == "priority")
        return fmt::format("{} runs: it is {}, at priority {}.", task_name,
                           next == log.prev ? "the running task"
                                            : "the first task of the highest-priority "
                                              "list",
                           winner->goodness);
    if (criterion != "goodness")
        return fmt::format("{} runs: {}.", task_name,
                           log.because.empty() ? "the policy chooses it" : log.because);

    std::string text;
    if (log.searched_before > 0) {
        const std::uint32_t tasks = log.decision.recalculated;
        text = fmt::format("No slice was left: {}, and the search starts again. ",
                           tasks == 1 ? "the counter is recalculated" : recalculation_text(tasks));
    }
    text += explain_goodness_choice({log, *winner, task_name, first, searches}, name);
    if (log.decision.recalculations > 0 && log.searched_before == 0) {
        const std::uint32_t tasks = log.decision.recalculated;
        text += tasks == 1 ? " Then its counter is recalculated."
                           : fmt::format(" Then {}; the choice does not change.", recalculation_text(tasks));
    }
    return text;
}

namespace {

// True if the policy uses counters. A policy script uses them if its text contains the word "counter".
bool uses_counters(const NamedPolicy& policy) {
    return policy.source_lines.empty() ||
           std::any_of(policy.source_lines.begin(), policy.source_lines.end(),
                       [](const std::string& line) { return line.find("counter") != std::string::npos; });
}

}  // namespace

std::string explain_decision(const DecisionLog& log, const NamedPolicy& policy, const TaskNamer& name,
                             const std::string& indent, std::size_t max_counter_changes) {
    std::string text = fmt::format("{}schedule(): prev is {}{}\n", indent, name(log.prev),
                                   log.prev_runnable ? "" : ", no longer runnable");
    std::size_t width = 4;
    for (const Candidate& c : log.candidates) width = std::max(width, name(c.task).size());
    std::size_t widest_sum = 18;
    for (const Candidate& c : log.candidates)
        if (c.for_priority != 0) widest_sum = std::max(widest_sum, 11 + bonuses_text(c, log).size());
    const bool counters = uses_counters(policy);
    const auto show = [&](std::span<const Candidate> search, bool last) {
        std::size_t shown = 0;
        bool winner_shown = false;  // a script may consider the winner repeatedly
        for (const Candidate& c : search) {
            const bool wins = last && c.task == log.decision.next;
            if (++shown > kMostCandidates && (!wins || winner_shown)) continue;
            winner_shown = winner_shown || wins;
            const char* const remark = reason_not_compared(c);
            if (policy.why) {
                text += fmt::format("{}  {:<{}}  {}{}{}\n", indent, name(c.task), width, key_text(c, policy),
                                    remark == nullptr ? "" : fmt::format("  ({})", remark),
                                    wins     ? "  <- wins"
                                    : c.best ? "  best so far"
                                             : "");
                continue;
            }
            if (policy.criterion == "turn" && !counters) {
                text += wins ? fmt::format("{}  {:<{}}  <- wins\n", indent, name(c.task), width)
                             : fmt::format("{}  {}\n", indent, name(c.task));
                continue;
            }
            const std::string sum = fmt::format("counter {:3}{}", c.counter, bonuses_text(c, log));
            text += fmt::format("{}  {:<{}}  {:<{}} {} {:>4}{}{}\n", indent, name(c.task), width, sum,
                                widest_sum, policy.criterion, c.goodness,
                                remark == nullptr ? "" : fmt::format("  ({})", remark),
                                wins     ? "  <- wins"
                                : c.best ? "  best so far"
                                         : "");
        }
        if (search.size() > kMostCandidates)
            text += fmt::format("{}  ... {} tasks considered in all\n", indent, search.size());
    };
    if (log.searched_before > 0) show(std::span(log.candidates).first(log.searched_before), false);
    if (log.searched_before == 0) show(log.candidates, true);
    std::size_t shown = 0;
    for (const CounterChange& r : log.counter_changes) {
        if (++shown > max_counter_changes) break;
        text += fmt::format("{}  recalculate {}: {} -> {}\n", indent, name(r.task), r.before, r.after);
    }
    if (log.counter_changes.size() > max_counter_changes)
        text += fmt::format("{}  ... {} counters changed in all\n", indent, log.counter_changes.size());
    if (log.searched_before > 0) show(log.last_search(), true);
    return text + indent + why_winner_won(log, policy, name) + "\n";
}

}  // namespace sim
