// Replays the exercises of textbooks about shares: processor sharing, stride and lottery scheduling.
#include <fmt/format.h>

#include "sim/check/book_tables.h"

namespace sim {

void BookTables::processor_sharing(const Json& t, const std::string& at) {
    if (!is_wanted("processor sharing")) return;
    read_processes(t, at);
    begin_case(id_, "processor sharing");
    constexpr std::int64_t kFine = 1'000;
    for (ExerciseJob& job : exercise_.jobs) {
        need(job.length <= 100 * kBookUnit && job.arrival <= 100 * kBookUnit, at, "expected times up to 100");
        job.length *= kFine;
        job.arrival *= kFine;
    }
    exercise_.end *= kFine;
    const Solution s = solved(exercise_, policy_for("rr", {{"quantum", "1"}}));
    const std::string of = at + "/computed";
    const Json& computed = member(t, at, "computed");
    const Json& finish = array(member(computed, of, "finish"), of + "/finish");
    double sum = 0;
    for (std::size_t i = 0; i < s.jobs.size() && i < finish.size(); ++i) {
        const double end = in_units(exercise_.jobs[i].arrival + s.jobs[i].turnaround) / kFine;
        sum += in_units(s.jobs[i].turnaround) / kFine;
        compare_number(fmt::format("{}/finish/{}", of, i), real(finish[i], of), end, kPrinted);
    }
    if (!s.jobs.empty())
        compare_number(of + "/mean_turnaround", real(member(computed, of, "mean_turnaround"), of),
                       sum / static_cast<double>(s.jobs.size()), kPrinted);
    end_case();
}

void BookTables::proportional_share(const Json& t, const std::string& at) {
    const std::string policy = word(member(t, at, "policy"), at + "/policy");
    if (!is_wanted(policy)) return;
    begin_case(id_, policy);
    const Json& params = member(t, at, "params");
    const Json& published = member(t, at, "published");
    if (policy == "stride")
        check_stride(params, published, at);
    else if (policy == "lottery")
        check_lottery(t, params, published, at);
    else
        leave_out("not an exercise for a scheduler");
    end_case();
}

void BookTables::create_endless_jobs(const Json& tickets, const std::string& at, std::size_t quanta) {
    exercise_ = {};
    exercise_.end = static_cast<std::int64_t>(quanta) * kBookUnit;
    std::size_t i = 0;
    for (const auto& [key, value] : tickets.items()) {
        const std::string name = tickets.is_array() ? std::string(1, static_cast<char>('A' + i)) : key;
        exercise_.jobs.push_back(
            {.name = name, .length = exercise_.end + kBookUnit, .tickets = number(value, at, 1'000'000, 1)});
        need(++i <= 26, at, "expected at most 26 jobs");
    }
}

ValueIntervals BookTables::order_of(const Json& list, const std::string& at) const {
    ValueIntervals result;
    for (std::size_t i = 0; i < array(list, at).size(); ++i) {
        const auto job = static_cast<int>(process(list[i], fmt::format("{}/{}", at, i)));
        if (!result.empty() && result.back().value == job)
            result.back().length += kBookUnit;
        else
            result.push_back({job, kBookUnit});
    }
    return result;
}

void BookTables::check_stride(const Json& params, const Json& published, const std::string& at) {
    const Json& order = array(member(published, at + "/published", "order"), at + "/published/order");
    create_endless_jobs(member(params, at + "/params", "tickets"), at + "/params/tickets", order.size());
    const Solution s = solved(exercise_, policy_for("stride", {{"quantum", "1"}, {"big", "10000"}}));
    if (s.jobs.empty()) return;
    compare(at + "/published/order", order_of(order, at + "/published/order"), s.schedule[0]);
    const std::string of = at + "/published/passes";
    const Json& passes = array(member(published, at + "/published", "passes"), of);
    for (std::size_t i = 0; i < passes.size() && i < s.fields.size() && !is_policy_replaced(); ++i)
        for (std::size_t k = 0; k < array(passes[i], of).size() && k < s.fields[i].size(); ++k)
            compare_number(fmt::format("{}/{}/{}", of, i, k), real(passes[i][k], of),
                           static_cast<double>(s.fields[i][k]), 0);
}

void BookTables::check_lottery(const Json& t, const Json& params, const Json& published,
                               const std::string& at) {
    const Json& order = array(member(published, at + "/published", "order"), at + "/published/order");
    create_endless_jobs(member(params, at + "/params", "tickets"), at + "/params/tickets", order.size());
    const Json& draws = array(member(t, at, "draws"), at + "/draws");
    std::string list;
    for (std::size_t i = 0; i < draws.size(); ++i)
        list += fmt::format("{}{}", i > 0 ? "/" : "",
                            number(draws[i], fmt::format("{}/draws/{}", at, i), 1'000'000));
    const Solution s = solved(exercise_, policy_for("lottery", {{"quantum", "1"}, {"draws", list}}));
    if (!s.jobs.empty())
        compare(at + "/published/order", order_of(order, at + "/published/order"), s.schedule[0]);
}

}  // namespace sim
