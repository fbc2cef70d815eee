// Replays the worked examples of textbooks: tables of processes and other exercises.
#include "sim/check/textbook_tables.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace sim {
namespace {

constexpr std::size_t kMostProcesses = 100;

}  // namespace

void TextbookTables::replay() {
    root_ = text_.root().to_nlohmann_json();
    require(root_.is_object(), "", "expected an object");
    refuse_unknown_keys(
        root_, "",
        {"format", "about", "fields", "tables", "processor_sharing", "proportional_share", "prediction",
         "real_time", "utilisation", "utilisation_bound", "starting_deadlines", "disagreements"});
    const std::string format = read_string(member(root_, "", "format"), "/format");
    require(format == "switchyard-textbook-tables/1", "/format", "expected \"switchyard-textbook-tables/1\"");
    replay_each("tables", &TextbookTables::replay_process_table);
    replay_each("real_time", &TextbookTables::replay_real_time_set);
    replay_each("processor_sharing", &TextbookTables::replay_processor_sharing);
    replay_each("proportional_share", &TextbookTables::replay_proportional_share);
    replay_each("prediction", &TextbookTables::replay_burst_prediction);
    replay_each("utilisation", &TextbookTables::replay_utilisation);
    replay_each("starting_deadlines", &TextbookTables::replay_starting_deadline);
}

void TextbookTables::replay_each(const char* list_key,
                                 void (TextbookTables::*replay_entry)(const Json&, const std::string&)) {
    if (!root_.contains(list_key)) return;
    const std::string pointer = std::string("/") + list_key;
    const Json& entries = array(root_.at(list_key), pointer);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::string at = fmt::format("{}/{}", pointer, i);
        require(entries[i].is_object(), at, "expected an object");
        id_ = printable_excerpt(read_string(member(entries[i], at, "id"), at + "/id"));
        (this->*replay_entry)(entries[i], at);
    }
}

// --- tables of processes ---

void TextbookTables::replay_process_table(const Json& entry, const std::string& at) {
    refuse_unknown_keys(entry, at,
                        {"id", "source", "policy", "params", "rules", "unit", "processes", "published",
                         "computed", "other_conventions", "checked_against", "note"});
    const std::string policy = read_string(member(entry, at, "policy"), at + "/policy");
    if (!is_policy_selected(policy)) return;
    read_processes(entry, at);
    const Json& params = member(entry, at, "params");
    require(params.is_object(), at + "/params", "expected an object");
    Options options;
    const std::string name = policy_script_for(policy, params, at + "/params", options);
    if (name.empty()) fail(at + "/policy", fmt::format("unknown policy '{}'", printable_excerpt(policy)));

    begin_case(id_, policy);
    const ExerciseSolution s = solve_exercise(exercise_, make_policy_for(name, options));
    if (!s.jobs.empty()) {
        const double unit = read_string(member(entry, at, "unit"), at + "/unit") == "0.1" ? 0.1 : 1;
        compare_table(s, member(entry, at, "computed"), at + "/computed", unit, kFourDigits);
        compare_table(s, member(entry, at, "published"), at + "/published", unit, kPrinted);
    }
    end_case();
    if (!is_policy_replaced() && entry.contains("other_conventions"))
        replay_other_conventions(entry, at, policy, name, options);
}

void TextbookTables::read_processes(const Json& entry, const std::string& at) {
    const Json& processes = array(member(entry, at, "processes"), at + "/processes");
    require(!processes.empty() && processes.size() <= kMostProcesses, at + "/processes",
            "expected 1 to 100 processes");
    exercise_ = {};
    for (std::size_t i = 0; i < processes.size(); ++i) {
        const std::string of = fmt::format("{}/processes/{}", at, i);
        const Json& p = processes[i];
        require(p.is_object(), of, "expected an object");
        refuse_unknown_keys(p, of, {"name", "arrival", "service", "priority"});
        ExerciseJob job{.name = read_string(member(p, of, "name"), of + "/name"),
                        .arrival = read_time(member(p, of, "arrival"), of + "/arrival", 10'000),
                        .length = read_time(member(p, of, "service"), of + "/service", 10'000)};
        require(job.length > Nanos{}, of + "/service", "expected a time above 0");
        if (p.contains("priority"))
            job.priority = static_cast<std::int32_t>(read_integer(p.at("priority"), of + "/priority", 40, 1));
        exercise_.end += job.arrival + job.length;
        exercise_.jobs.push_back(job);
    }
    exercise_.end += kBookUnit;
}

std::string TextbookTables::policy_script_for(const std::string& policy, const Json& params,
                                              const std::string& at, Options& options) {
    const auto quantum = [&] {
        return fmt::format("{}", read_integer(member(params, at, "quantum"), at + "/quantum", 1'000'000, 1));
    };
    if (policy == "fcfs" || policy == "srtf" || policy == "hrrn") return policy;
    if (policy == "sjf") {
        // The value of "idle_until" may be a time of the book and, in brackets, the same time in the units of
        // this exercise: "1 (10 of the units here)". If there are brackets, the number in them is used.
        if (params.contains("idle_until")) {
            const std::string text = read_string(params.at("idle_until"), at + "/idle_until");
            const std::size_t bracket = text.find('(');
            const std::size_t from = bracket == std::string::npos ? 0 : bracket + 1;
            const std::size_t digits = text.find_first_not_of("0123456789", from) - from;
            require(digits > 0, at + "/idle_until", "expected a text that starts with a whole number");
            options.emplace_back("idle_until", text.substr(from, digits));
        }
        return policy;
    }
    if (policy == "rr") {
        options.emplace_back("quantum", quantum());
        return policy;
    }
    if (policy == "feedback") {
        const std::string rule = read_string(member(params, at, "quantum"), at + "/quantum");
        require(rule == "1 at each level" || rule == "2^i at level i", at + "/quantum",
                "expected \"1 at each level\" or \"2^i at level i\"");
        options.emplace_back("doubling", rule == "2^i at level i" ? "yes" : "no");
        return policy;
    }
    if (policy == "priority" || policy == "priority+rr") {
        const std::string high = read_string(member(params, at, "high"), at + "/high");
        require(high == "low number" || high == "high number", at + "/high",
                "expected \"low number\" or \"high number\"");
        options.emplace_back("first", high == "low number" ? "low" : "high");
        const bool preemptive = !params.contains("preemptive") || params.at("preemptive") == true;
        options.emplace_back("preemptive", preemptive ? "yes" : "no");
        if (policy == "priority+rr") options.emplace_back("quantum", quantum());
        return "priority";
    }
    if (policy != "given order") return "";
    const Json& order = array(member(params, at, "order"), at + "/order");
    for (std::size_t i = 0; i < order.size(); ++i)
        exercise_.jobs[find_process(order[i], fmt::format("{}/order/{}", at, i))].priority =
            static_cast<std::int32_t>(i + 1);
    options.emplace_back("preemptive", "no");
    return "priority";
}

std::size_t TextbookTables::find_process(const Json& name, const std::string& at) const {
    const std::string wanted = read_string(name, at);
    for (std::size_t i = 0; i < exercise_.jobs.size(); ++i)
        if (exercise_.jobs[i].name == wanted) return i;
    fail(at, fmt::format("there is no process or task '{}'", printable_excerpt(wanted)));
}

ValueIntervals TextbookTables::read_printed_schedule(const Json& list, const std::string& at) const {
    ValueIntervals result;
    for (std::size_t i = 0; i < array(list, at).size(); ++i) {
        const std::string of = fmt::format("{}/{}", at, i);
        require(list[i].is_array() && list[i].size() == 2, of, "expected [name, duration]");
        const bool idle = list[i][0] == "idle";
        const int job = idle ? -1 : static_cast<int>(find_process(list[i][0], of + "/0"));
        result.push_back({job, read_time(list[i][1], of + "/1")});
    }
    return result;
}

void TextbookTables::compare_table(const ExerciseSolution& s, const Json& values, const std::string& at,
                                   double unit, double tolerance) {
    require(values.is_object(), at, "expected an object");
    refuse_unknown_keys(values, at,
                        {"schedule", "finish", "turnaround", "normalised_turnaround", "waiting", "response",
                         "mean_turnaround", "mean_normalised", "mean_waiting", "mean_response"});
    if (values.contains("schedule")) {
        const Json& list = values.at("schedule");
        const bool by_name = list.is_array() && !list.empty() && list[0].is_array() && !list[0].empty() &&
                             list[0][0].is_string();
        compare(at + "/schedule",
                by_name ? read_printed_schedule(list, at + "/schedule")
                        : read_intervals(list, at + "/schedule", static_cast<int>(exercise_.jobs.size()) - 1),
                s.schedule[0]);
    }
    const auto column = [&](const char* key, const char* mean, double mean_unit, auto value) {
        const std::string of = at + "/" + key;
        double sum = 0;
        for (std::size_t i = 0; i < s.jobs.size(); ++i) sum += value(i);
        if (values.contains(key)) {
            const Json& list = array(values.at(key), of);
            require(list.size() == s.jobs.size(), of, "expected one value for each process");
            for (std::size_t i = 0; i < list.size(); ++i)
                compare_number(fmt::format("{}/{}", of, i), read_real(list[i], fmt::format("{}/{}", of, i)),
                               value(i), tolerance);
        }
        if (values.contains(mean))
            compare_number(at + "/" + mean, read_real(values.at(mean), at + "/" + mean),
                           sum / static_cast<double>(s.jobs.size()) * mean_unit, tolerance);
    };
    const auto& jobs = exercise_.jobs;
    column("finish", "", unit,
           [&](std::size_t i) { return in_book_units(jobs[i].arrival + s.jobs[i].turnaround); });
    column("turnaround", "mean_turnaround", unit,
           [&](std::size_t i) { return in_book_units(s.jobs[i].turnaround); });
    column("normalised_turnaround", "mean_normalised", 1, [&](std::size_t i) {
        return in_book_units(s.jobs[i].turnaround) / in_book_units(jobs[i].length);
    });
    column("waiting", "mean_waiting", unit, [&](std::size_t i) { return in_book_units(s.jobs[i].waiting); });
    column("response", "mean_response", unit,
           [&](std::size_t i) { return in_book_units(s.jobs[i].response); });
}

double TextbookTables::read_real(const Json& value, const std::string& at) const {
    require(value.is_number(), at, "expected a number");
    return value.get<double>();
}

void TextbookTables::replay_other_conventions(const Json& entry, const std::string& at,
                                              const std::string& policy, const std::string& name,
                                              const Options& options) {
    static const std::map<std::string, std::pair<std::string, std::string>> kConventions{
        {"preempted process before the newcomer", {"newcomer", "last"}},
        {"equals: the newest arrival first", {"equals", "newest"}},
        {"a process alone goes down, too", {"alone", "goes_down"}},
        {"equals: the last of the list first", {"equals", "last"}},
        {"preempted: to the front, with the rest of its slice", {"preempted", "head"}}};
    const std::string of = at + "/other_conventions";
    require(entry.at("other_conventions").is_object(), of, "expected an object");
    for (const auto& [convention, result] : entry.at("other_conventions").items()) {
        const std::string here = of + "/" + escaped_pointer_segment(convention);
        const auto known = kConventions.find(convention);
        if (known == kConventions.end())
            fail(here, fmt::format("unknown convention '{}'", printable_excerpt(convention)));
        begin_case(fmt::format("{}, {}", id_, convention), policy);
        Options with = options;
        with.push_back(known->second);
        const ExerciseSolution s = solve_exercise(exercise_, make_policy_for(name, with));
        if (!s.jobs.empty()) {
            const bool same = result == "same";
            compare_table(s, same ? entry.at("computed") : result, same ? at + "/computed" : here, 1,
                          kFourDigits);
        }
        end_case();
    }
}

// --- other exercises ---

void TextbookTables::replay_burst_prediction(const Json& entry, const std::string& at) {
    const std::string policy = entry.contains("policy") ? "feedback" : "prediction";
    if (!is_policy_selected(policy)) return;
    begin_case(id_, policy);
    if (policy == "feedback")
        replay_feedback_turns(entry, at);
    else
        leave_case_out("the exercise predicts bursts, but the policies here receive the lengths of bursts");
    end_case();
}

void TextbookTables::replay_feedback_turns(const Json& entry, const std::string& at) {
    const Json& params = member(entry, at, "params");
    exercise_ = {};
    exercise_.jobs.push_back(
        {.name = "job", .length = read_time(member(params, at, "length"), at + "/params/length", 10'000)});
    exercise_.end = exercise_.jobs[0].length + kBookUnit;
    const ExerciseSolution s =
        solve_exercise(exercise_, make_policy_for("feedback", {{"doubling", "yes"}, {"alone", "goes_down"}}));
    const std::string of = at + "/published/turns";
    const std::vector<Nanos> recorded = read_times(member(member(entry, at, "published"), at, "turns"), of);
    if (s.jobs.empty()) return;
    if (recorded.size() != s.turns.size())
        return count_difference(
            of, fmt::format("recorded: {} turns  replayed: {} turns", recorded.size(), s.turns.size()));
    for (std::size_t i = 0; i < recorded.size(); ++i)
        compare(fmt::format("{}/{}", of, i), recorded[i],
                (i + 1 < s.turns.size() ? s.turns[i + 1] : s.end) - s.turns[i]);
}

void TextbookTables::replay_utilisation(const Json& entry, const std::string& at) {
    if (!is_policy_selected("utilisation") || is_policy_replaced()) return;
    begin_case(id_, "utilisation");
    const Json& tasks = array(member(entry, at, "tasks"), at + "/tasks");
    double sum = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const std::string of = fmt::format("{}/tasks/{}", at, i);
        require(tasks[i].is_array() && tasks[i].size() == 2, of, "expected [time, period]");
        const Nanos period = read_time(tasks[i][1], of + "/1");
        require(period > Nanos{}, of, "expected a period above 0");
        sum += in_book_units(read_time(tasks[i][0], of + "/0")) / in_book_units(period);
    }
    const std::string of = at + "/published/utilisation";
    compare_number(of,
                   read_real(member(member(entry, at, "published"), at + "/published", "utilisation"), of),
                   sum, kFourDigits);
    end_case();
}

void TextbookTables::replay_starting_deadline(const Json&, const std::string&) {
    if (!is_policy_selected("starting deadlines")) return;
    begin_case(id_, "starting deadlines");
    leave_case_out("the exercise rejects tasks that start too late, but no policy here rejects tasks");
    end_case();
}

void replay_textbook_tables(const JsonTree& text, VerifyResult& result, const VerifyOptions& options) {
    TextbookTables(text, result, options).replay();
}

}  // namespace sim
