// Replays the sets of real-time tasks in textbooks.
#include <fmt/format.h>

#include <algorithm>

#include "sim/check/textbook_tables.h"

namespace sim {

void TextbookTables::replay_real_time_set(const Json& entry, const std::string& at) {
    refuse_unknown_keys(entry, at,
                        {"id", "source", "tasks", "utilisation", "bound", "late", "published", "computed",
                         "checked_against", "note"});
    const Json& computed = member(entry, at, "computed");
    require(computed.is_object(), at + "/computed", "expected an object");
    read_tasks(entry, at);
    for (const auto& [rule, wanted] : computed.items()) {
        const std::string of = at + "/computed/" + escaped_pointer_segment(rule);
        require(wanted.is_object(), of, "expected an object");
        const bool fixed = rule != "rm" && rule != "edf";
        const std::string policy = fixed ? "fixed priority" : rule;
        if (!is_policy_selected(policy)) continue;
        begin_case(id_, policy);
        if (fixed) set_priorities(rule, of);
        exercise_.end = read_time(member(wanted, of, "over"), of + "/over", 100'000);
        const ExerciseSolution s = solve_exercise(exercise_, make_policy_for(rule == "rm" ? "rate-monotonic"
                                                                             : rule == "edf" ? "edf"
                                                                                             : "priority",
                                                                             {}));
        if (!s.jobs.empty()) compare_real_time_set(s, entry, wanted, of, rule, at);
        end_case();
    }
}

void TextbookTables::read_tasks(const Json& entry, const std::string& at) {
    const Json& tasks = array(member(entry, at, "tasks"), at + "/tasks");
    require(!tasks.empty() && tasks.size() <= 40, at + "/tasks", "expected 1 to 40 tasks");
    const bool gives_up = entry.contains("late") && read_string(entry.at("late"), at + "/late") == "give_up";
    exercise_ = {};
    double utilisation = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const std::string of = fmt::format("{}/tasks/{}", at, i);
        const Json& task = tasks[i];
        require(task.is_object(), of, "expected an object");
        refuse_unknown_keys(task, of, {"name", "c", "period", "deadline"});
        ExerciseJob job{.name = read_string(member(task, of, "name"), of + "/name"),
                        .length = read_time(member(task, of, "c"), of + "/c", 10'000),
                        .period = read_time(member(task, of, "period"), of + "/period", 10'000),
                        .deadline = read_time(member(task, of, "deadline"), of + "/deadline", 10'000),
                        .gives_up = gives_up};
        require(job.length > Nanos{} && job.period > Nanos{} && job.deadline > Nanos{}, of,
                "expected times above 0");
        utilisation += in_book_units(job.length) / in_book_units(job.period);
        exercise_.jobs.push_back(job);
    }
    utilisation_ = utilisation;
}

void TextbookTables::set_priorities(const std::string& rule, const std::string& at) {
    const Json order = Json::parse(rule, nullptr, false);
    require(order.is_array() && order.size() == exercise_.jobs.size(), at,
            "expected \"rm\", \"edf\" or all task numbers in priority order, like \"[1, 0]\"");
    for (std::size_t i = 0; i < order.size(); ++i)
        exercise_
            .jobs[static_cast<std::size_t>(
                read_integer(order[i], at, static_cast<std::int64_t>(exercise_.jobs.size()) - 1))]
            .priority = static_cast<std::int32_t>(i + 1);
}

void TextbookTables::compare_real_time_set(const ExerciseSolution& s, const Json& entry, const Json& expected,
                                           const std::string& expected_at, const std::string& rule,
                                           const std::string& at) {
    refuse_unknown_keys(expected, expected_at, {"feasible", "schedule", "misses", "over"});
    const int most = static_cast<int>(exercise_.jobs.size()) - 1;
    if (const Json& schedule = member(expected, expected_at, "schedule"); schedule != "long")
        compare(expected_at + "/schedule", read_intervals(schedule, expected_at + "/schedule", most),
                s.schedule[0]);
    ValueIntervals misses;
    for (const auto& [job, release] : s.misses) misses.push_back({static_cast<int>(job), release});
    compare(expected_at + "/misses",
            read_intervals(member(expected, expected_at, "misses"), expected_at + "/misses", most), misses);
    compare_number(expected_at + "/feasible", member(expected, expected_at, "feasible") == true,
                   s.misses.empty(), 0);
    compare_number(at + "/utilisation", read_real(member(entry, at, "utilisation"), at + "/utilisation"),
                   utilisation_, kFourDigits);
    const Json& published = member(entry, at, "published");
    if (!published.is_object() || !published.contains(rule)) return;
    const std::string printed_at = at + "/published/" + escaped_pointer_segment(rule);
    const Json& said = published.at(rule);
    if (said.contains("feasible"))
        compare_number(printed_at + "/feasible", said.at("feasible") == true, s.misses.empty(), 0);
    if (said.contains("schedule")) {
        ValueIntervals known = read_printed_schedule(said.at("schedule"), printed_at + "/schedule");
        ValueIntervals begin = s.schedule[0];
        if (begin.size() > known.size()) begin.resize(known.size());
        // The book may have cut off the last printed segment.
        if (!begin.empty() && !known.empty() && begin.back().length > known.back().length)
            begin.back().length = known.back().length;
        compare(printed_at + "/schedule", known, begin);
    }
    if (said.contains("first_miss")) {
        const Json& miss = said.at("first_miss");
        require(miss.is_array() && miss.size() == 2, printed_at + "/first_miss",
                "expected [task, release time]");
        const auto job = static_cast<int>(find_process(miss[0], printed_at + "/first_miss/0"));
        const auto first = std::find_if(misses.begin(), misses.end(),
                                        [&](const ValueInterval& m) { return m.value == job; });
        const Nanos release = read_time(miss[1], printed_at + "/first_miss/1");
        if (first == misses.end())
            count_difference(printed_at + "/first_miss", "the task misses no deadline");
        else
            compare(printed_at + "/first_miss/1", release, first->length);
    }
}

}  // namespace sim
