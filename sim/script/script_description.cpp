// Texts that describe a policy script to users.
#include "sim/script/script_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "sim/base/human_text.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace sim::script {

std::vector<PseudoLine> pseudo_code(bool has_enqueue, bool has_pick_next) {
    return {
        {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
        {Phase::yield, 1, "sched_yield(): yield(prev)"},
        {Phase::place_woken, 1, "enqueue() has put the woken tasks on their queues"},
        {Phase::begin, 0, "schedule(): prev = the running task"},
        {Phase::leave, 1, "prev is no longer runnable? off its queue"},
        {Phase::put_back, 1,
         has_enqueue ? "prev can continue? enqueue(prev, \"preempted\")"
                     : "prev can continue? to the end of the first queue: there is no enqueue()"},
        {Phase::consider, 0,
         has_pick_next ? "pick_next(prev, cpu) chooses"
                       : "the first of the first queue that has one: there is no pick_next()"},
        {Phase::keep, 1, "it is the best so far"},
        {Phase::recalculate, 0, "pick_next() recalculates a counter"},
        {Phase::switch_context, 0, "another one was chosen? save prev's context, load its own"},
        {Phase::switch_mm, 1, "another address space? load its page tables, flush the TLB"},
        {Phase::resume, 0, "it runs, or the idle task if there is none"},
    };
}

std::string printable_line(std::string_view line) {
    constexpr std::size_t kTab = 4;
    std::string text;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    for (const char c : line) {
        if (c == '\t')
            text.append(kTab - text.size() % kTab, ' ');
        else
            text += c;
    }
    return printable(text);
}

std::string field_text(std::string_view field, std::int64_t value) {
    constexpr std::string_view kTimes[] = {"remaining", "ran",      "slice",  "arrival", "length",
                                           "release",   "deadline", "period", "since"};
    if (std::find(std::begin(kTimes), std::end(kTimes), field) == std::end(kTimes) || value < 0)
        return fmt::format("{}", value);
    return Nanos{value} >= kHorizon ? "none" : human_time(Nanos{value});
}

std::string why_winner_won(const RankingCriterion& criterion, const DecisionLog& log,
                           const Candidate& winner) {
    std::set<TaskId> equals;  // a script may consider a task more than once
    for (const Candidate& c : log.last_search())
        if (c.task != winner.task && c.key == winner.key) equals.insert(c.task);
    const std::string tie = equals.empty()
                                ? ""
                                : fmt::format(" ({} other {} the same)", equals.size(),
                                              equals.size() == 1 ? "candidate has" : "candidates have");
    return fmt::format("its {} {} is the {}{}.", criterion.what,
                       criterion_value_text(criterion.what, winner.key),
                       criterion.by == RankingCriterion::Order::highest ? "highest" : "lowest", tie);
}

std::string summary_of_script(std::string_view text) {
    if (text.substr(0, 2) != "--") return "a script";
    std::string_view line = text.substr(0, text.find('\n')).substr(2);
    while (!line.empty() && (line.front() == ' ' || line.front() == '-')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == '.' || line.back() == '\r' || line.back() == ' '))
        line.remove_suffix(1);
    return printable(shorten(line, 120));
}

std::string summary_of_option(const std::vector<std::string>& lines, const std::string& name) {
    for (const std::string& line : lines) {
        const std::size_t comment = line.find("--");
        const std::string code = line.substr(0, comment);
        for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
            const bool begins = at == 0 || code[at - 1] == ' ' || code[at - 1] == '{' || code[at - 1] == ',';
            const std::size_t behind = code.find_first_not_of(' ', at + name.size());
            if (!begins || behind == std::string::npos || code[behind] != '=') continue;
            if (comment == std::string::npos) return "";
            const std::size_t first = line.find_first_not_of("- ", comment);
            return first == std::string::npos ? "" : line.substr(first, 120);
        }
    }
    return "";
}

}  // namespace sim::script
