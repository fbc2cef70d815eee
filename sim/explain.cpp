#include "sim/explain.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim {
namespace {

constexpr std::size_t kMostCandidates = 12, kMostRefills = 3;  // shown; the rest is counted

}  // namespace

std::string why_it_won(const DecisionLog& log, const Policy& policy, const TaskNamer& name) {
    const TaskId next = log.decision.next;
    const std::string who = name(next);
    const bool searches = policy.keeps_running_task_queued();  // rather than comparing head and prev
    const char* const first = searches ? "is first in the queue" : "came first";
    const std::string criterion = policy.criterion();
    const auto winner = std::find_if(log.candidates.begin(), log.candidates.end(),
                                     [&](const Candidate& c) { return c.task == next; });
    if (winner == log.candidates.end()) return "Nobody is runnable: the idle task runs.";
    if (criterion != "goodness") return fmt::format("{} runs: it is its turn.", who);

    std::string text;
    if (log.candidates.size() == 1 && (searches || next == log.prev)) {
        text = fmt::format("{} runs: there is no other{}.", who,
                           winner->goodness == 0 ? ", and its slice is used up" : "");
    } else if (winner->goodness == 0) {
        text = fmt::format("{} runs: every runnable task has used up its slice, and it {}.", who, first);
    } else if (log.candidates.size() == 1) {
        text = fmt::format("{} runs: it is at the head of the queue, with {} {}.", who, criterion,
                           winner->goodness);
    } else {
        std::vector<std::string> equals;
        for (const Candidate& c : log.candidates) {
            if (c.task == next) continue;
            if (c.goodness == winner->goodness) equals.push_back(name(c.task));
        }
        text = fmt::format("{} runs: its {} {} is the highest", who, criterion, winner->goodness);
        if (equals.size() > 3)
            text += fmt::format(" ({} others have as much, but {} {})", equals.size(), who, first);
        else if (!equals.empty())
            text += fmt::format(" ({} {} as much, but {} {})", fmt::join(equals, ", "),
                                equals.size() == 1 ? "has" : "have", who, first);
        const std::int32_t for_prev = bonus_for_prev(*winner, log);
        if (is_real_time(*winner)) text += "; 1000 of it for being a real-time task";
        if (for_prev > 0) text += fmt::format("; {} of it for being the running task", for_prev);
        if (winner->bonus > for_prev)
            text += fmt::format("; {} of it for its last CPU", winner->bonus - for_prev);
        text += ".";
    }
    if (log.decision.recalcs > 0) {
        const std::uint32_t tasks = log.decision.recalculated;
        text +=
            tasks == 1 ? " Then its counter is refilled."
            : tasks == 2
                ? " Then the counters of both tasks are refilled; the choice stands."
                : fmt::format(" Then the counters of all {} tasks are refilled; the choice stands.", tasks);
    }
    return text;
}

std::string explain_decision(const DecisionLog& log, const Policy& policy, const TaskNamer& name,
                             const std::string& indent) {
    std::string text = fmt::format("{}schedule(): prev is {}{}\n", indent, name(log.prev),
                                   log.prev_runnable ? "" : ", no longer runnable");
    std::size_t width = 4;
    for (const Candidate& c : log.candidates) width = std::max(width, name(c.task).size());
    std::size_t shown = 0;
    for (const Candidate& c : log.candidates) {
        const bool wins = c.task == log.decision.next;
        if (++shown > kMostCandidates && !wins) continue;
        std::string sum = fmt::format("counter {:3}", c.counter);
        if (c.bonus != 0) sum += fmt::format(" {:+} prev", c.bonus);
        text += fmt::format("{}  {:<{}}  {:<18} {} {:>4}{}\n", indent, name(c.task), width, sum,
                            policy.criterion(), c.goodness,
                            wins     ? "  <- wins"
                            : c.best ? "  best so far"
                                     : "");
    }
    if (log.candidates.size() > kMostCandidates)
        text += fmt::format("{}  ... {} considered in all\n", indent, log.candidates.size());
    shown = 0;
    for (const Refill& r : log.refills) {
        if (++shown > kMostRefills) break;
        text += fmt::format("{}  refill {}: {} -> {}\n", indent, name(r.task), r.before, r.after);
    }
    if (log.refills.size() > kMostRefills)
        text += fmt::format("{}  ... {} counters changed in all\n", indent, log.refills.size());
    return text + indent + why_it_won(log, policy, name) + "\n";
}

}  // namespace sim
