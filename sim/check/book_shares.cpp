// Replays the exercises of textbooks about shares: processor sharing, stride and lottery scheduling.
#include <fmt/format.h>

#include "sim/check/textbook_tables.h"

namespace sim {

void TextbookTables::replay_processor_sharing(const Json& entry, const std::string& at) {
    if (!is_policy_selected("processor sharing")) return;
    read_processes(entry, at);
    begin_case(id_, "processor sharing");
    constexpr std::int64_t kFine = 1'000;
    for (ExerciseJob& job : exercise_.jobs) {
        require(job.length <= 100 * kBookUnit && job.arrival <= 100 * kBookUnit, at,
                "expected arrival and service times of at most 100");
        job.length *= kFine;
        job.arrival *= kFine;
    }
    exercise_.end *= kFine;
    const ExerciseSolution s = solve_exercise(exercise_, make_policy_for("rr", {{"quantum", "1"}}));
    const std::string of = at + "/computed";
    const Json& computed = member(entry, at, "computed");
    const Json& finish = array(member(computed, of, "finish"), of + "/finish");
    double sum = 0;
    for (std::size_t i = 0; i < s.jobs.size() && i < finish.size(); ++i) {
        const double end = in_book_units(exercise_.jobs[i].arrival + s.jobs[i].turnaround) / kFine;
        sum += in_book_units(s.jobs[i].turnaround) / kFine;
        compare_number(fmt::format("{}/finish/{}", of, i), read_real(finish[i], of), end, kPrinted);
    }
    if (!s.jobs.empty())
        compare_number(of + "/mean_turnaround", read_real(member(computed, of, "mean_turnaround"), of),
                       sum / static_cast<double>(s.jobs.size()), kPrinted);
    end_case();
}

void TextbookTables::replay_proportional_share(const Json& entry, const std::string& at) {
    const std::string policy = read_string(member(entry, at, "policy"), at + "/policy");
    if (!is_policy_selected(policy)) return;
    begin_case(id_, policy);
    const Json& params = member(entry, at, "params");
    const Json& published = member(entry, at, "published");
    if (policy == "stride")
        check_stride(params, published, at);
    else if (policy == "lottery")
        check_lottery(entry, params, published, at);
    else
        leave_case_out("the exercise does not schedule jobs");
    end_case();
}

void TextbookTables::create_endless_jobs(const Json& tickets, const std::string& at, std::size_t quanta) {
    exercise_ = {};
    exercise_.end = static_cast<std::int64_t>(quanta) * kBookUnit;
    std::size_t i = 0;
    for (const auto& [key, value] : tickets.items()) {
        const std::string name = tickets.is_array() ? std::string(1, static_cast<char>('A' + i)) : key;
        exercise_.jobs.push_back({.name = name,
                                  .length = exercise_.end + kBookUnit,
                                  .tickets = read_integer(value, at, 1'000'000, 1)});
        require(++i <= 26, at, "expected at most 26 jobs");
    }
}

ValueIntervals TextbookTables::read_running_order(const Json& list, const std::string& at) const {
    ValueIntervals result;
    for (std::size_t i = 0; i < array(list, at).size(); ++i) {
        const auto job = static_cast<int>(find_process(list[i], fmt::format("{}/{}", at, i)));
        if (!result.empty() && result.back().value == job)
            result.back().length += kBookUnit;
        else
            result.push_back({job, kBookUnit});
    }
    return result;
}

void TextbookTables::check_stride(const Json& params, const Json& published, const std::string& at) {
    const Json& order = array(member(published, at + "/published", "order"), at + "/published/order");
    create_endless_jobs(member(params, at + "/params", "tickets"), at + "/params/tickets", order.size());
    const ExerciseSolution s =
        solve_exercise(exercise_, make_policy_for("stride", {{"quantum", "1"}, {"big", "10000"}}));
    if (s.jobs.empty()) return;
    compare(at + "/published/order", read_running_order(order, at + "/published/order"), s.schedule[0]);
    const std::string of = at + "/published/passes";
    const Json& passes = array(member(published, at + "/published", "passes"), of);
    for (std::size_t i = 0; i < passes.size() && i < s.sort_values.size() && !is_policy_replaced(); ++i)
        for (std::size_t k = 0; k < array(passes[i], of).size() && k < s.sort_values[i].size(); ++k)
            compare_number(fmt::format("{}/{}/{}", of, i, k), read_real(passes[i][k], of),
                           static_cast<double>(s.sort_values[i][k]), 0);
}

void TextbookTables::check_lottery(const Json& entry, const Json& params, const Json& published,
                                   const std::string& at) {
    const Json& order = array(member(published, at + "/published", "order"), at + "/published/order");
    create_endless_jobs(member(params, at + "/params", "tickets"), at + "/params/tickets", order.size());
    const Json& draws = array(member(entry, at, "draws"), at + "/draws");
    std::string list;
    for (std::size_t i = 0; i < draws.size(); ++i)
        list += fmt::format("{}{}", i > 0 ? "/" : "",
                            read_integer(draws[i], fmt::format("{}/draws/{}", at, i), 1'000'000));
    const ExerciseSolution s =
        solve_exercise(exercise_, make_policy_for("lottery", {{"quantum", "1"}, {"draws", list}}));
    if (!s.jobs.empty())
        compare(at + "/published/order", read_running_order(order, at + "/published/order"), s.schedule[0]);
}

}  // namespace sim
