// Replays the worked examples of textbooks: tables of processes, real-time sets, shares and others.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/check/book_case.h"

namespace sim {
namespace {

constexpr Nanos kBookUnit = 1ms;
constexpr double kFourDigits = 0.00006,
                 kPrinted = 0.0101;  // tolerances: four digits; two digits, rounded or truncated
constexpr std::size_t kMostProcesses = 100;

double in_units(Nanos time) {
    return static_cast<double>(time.count()) / static_cast<double>(Nanos{kBookUnit}.count());
}

class BookTables final : public BookCase {
  public:
    BookTables(const JsonTree& text, VerifyResult& result, const VerifyOptions& options)
        : BookCase(text, 0, result, options) {}

    void replay() {
        root_ = text_.root().plain();
        need(root_.is_object(), "", "expected an object");
        refuse_unknown(
            root_, "",
            {"format", "about", "fields", "tables", "processor_sharing", "proportional_share", "prediction",
             "real_time", "utilisation", "utilisation_bound", "starting_deadlines", "disagreements"});
        const std::string format = word(member(root_, "", "format"), "/format");
        need(format == "switchyard-textbook-tables/1", "/format",
             "expected \"switchyard-textbook-tables/1\"");
        for_each("tables", &BookTables::table);
        for_each("real_time", &BookTables::real_time);
        for_each("processor_sharing", &BookTables::processor_sharing);
        for_each("proportional_share", &BookTables::proportional_share);
        for_each("prediction", &BookTables::prediction);
        for_each("utilisation", &BookTables::utilisation);
        for_each("starting_deadlines", &BookTables::starting_deadline);
    }

  private:
    void for_each(const char* list, void (BookTables::*one)(const Json&, const std::string&)) {
        if (!root_.contains(list)) return;
        const std::string pointer = std::string("/") + list;
        const Json& entries = array(root_.at(list), pointer);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::string at = fmt::format("{}/{}", pointer, i);
            need(entries[i].is_object(), at, "expected an object");
            id_ = shown(word(member(entries[i], at, "id"), at + "/id"));
            (this->*one)(entries[i], at);
        }
    }

    // --- tables of processes ---

    void table(const Json& t, const std::string& at) {
        refuse_unknown(t, at,
                       {"id", "source", "policy", "params", "rules", "unit", "processes", "published",
                        "computed", "other_conventions", "checked_against", "note"});
        const std::string policy = word(member(t, at, "policy"), at + "/policy");
        if (!is_wanted(policy)) return;
        read_processes(t, at);
        const Json& params = member(t, at, "params");
        need(params.is_object(), at + "/params", "expected an object");
        Options options;
        const std::string name = script_for(policy, params, at + "/params", options);
        if (name.empty()) fail(at + "/policy", fmt::format("unknown policy '{}'", shown(policy)));

        begin_case(id_, policy);
        const Solution s = solved(exercise_, policy_for(name, options));
        if (!s.jobs.empty()) {
            const double unit = word(member(t, at, "unit"), at + "/unit") == "0.1" ? 0.1 : 1;
            compare_table(s, member(t, at, "computed"), at + "/computed", unit, kFourDigits);
            compare_table(s, member(t, at, "published"), at + "/published", unit, kPrinted);
        }
        end_case();
        if (!replaced() && t.contains("other_conventions")) other_conventions(t, at, policy, name, options);
    }

    void read_processes(const Json& t, const std::string& at) {
        const Json& processes = array(member(t, at, "processes"), at + "/processes");
        need(!processes.empty() && processes.size() <= kMostProcesses, at + "/processes",
             "expected 1 to 100 processes");
        exercise_ = {};
        for (std::size_t i = 0; i < processes.size(); ++i) {
            const std::string of = fmt::format("{}/processes/{}", at, i);
            const Json& p = processes[i];
            need(p.is_object(), of, "expected an object");
            refuse_unknown(p, of, {"name", "arrival", "service", "priority"});
            ExerciseJob job{.name = word(member(p, of, "name"), of + "/name"),
                            .arrival = time(member(p, of, "arrival"), of + "/arrival", 10'000),
                            .length = time(member(p, of, "service"), of + "/service", 10'000)};
            need(job.length > Nanos{}, of + "/service", "expected a time above 0");
            if (p.contains("priority"))
                job.priority = static_cast<std::int32_t>(number(p.at("priority"), of + "/priority", 40, 1));
            exercise_.end += job.arrival + job.length;
            exercise_.jobs.push_back(job);
        }
        exercise_.end += kBookUnit;
    }

    // Returns the policy script for `policy` and sets its options; empty if there is none.
    std::string script_for(const std::string& policy, const Json& params, const std::string& at,
                           Options& options) {
        const auto quantum = [&] {
            return fmt::format("{}", number(member(params, at, "quantum"), at + "/quantum", 1'000'000, 1));
        };
        if (policy == "fcfs" || policy == "srtf" || policy == "hrrn") return policy;
        if (policy == "sjf") {
            // For example "1 (10 of the units here)".
            if (params.contains("idle_until")) {
                const std::string text = word(params.at("idle_until"), at + "/idle_until");
                const std::size_t bracket = text.find('(');
                const std::size_t from = bracket == std::string::npos ? 0 : bracket + 1;
                const std::size_t digits = text.find_first_not_of("0123456789", from) - from;
                need(digits > 0, at + "/idle_until", "expected a time");
                options.emplace_back("idle_until", text.substr(from, digits));
            }
            return policy;
        }
        if (policy == "rr") {
            options.emplace_back("quantum", quantum());
            return policy;
        }
        if (policy == "feedback") {
            const std::string rule = word(member(params, at, "quantum"), at + "/quantum");
            need(rule == "1 at each level" || rule == "2^i at level i", at + "/quantum",
                 "expected \"1 at each level\" or \"2^i at level i\"");
            options.emplace_back("doubling", rule == "2^i at level i" ? "yes" : "no");
            return policy;
        }
        if (policy == "priority" || policy == "priority+rr") {
            const std::string high = word(member(params, at, "high"), at + "/high");
            need(high == "low number" || high == "high number", at + "/high",
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
            exercise_.jobs[process(order[i], fmt::format("{}/order/{}", at, i))].priority =
                static_cast<std::int32_t>(i + 1);
        options.emplace_back("preemptive", "no");
        return "priority";
    }

    std::size_t process(const Json& name, const std::string& at) const {
        const std::string wanted = word(name, at);
        for (std::size_t i = 0; i < exercise_.jobs.size(); ++i)
            if (exercise_.jobs[i].name == wanted) return i;
        fail(at, fmt::format("unknown name '{}'", shown(wanted)));
    }

    // A schedule with job names, as printed in books; for real-time sets possibly only its start.
    Stretches printed(const Json& list, const std::string& at) const {
        Stretches result;
        for (std::size_t i = 0; i < array(list, at).size(); ++i) {
            const std::string of = fmt::format("{}/{}", at, i);
            need(list[i].is_array() && list[i].size() == 2, of, "expected [name, duration]");
            const bool idle = list[i][0] == "idle";
            const int who = idle ? -1 : static_cast<int>(process(list[i][0], of + "/0"));
            result.push_back({who, time(list[i][1], of + "/1")});
        }
        return result;
    }

    void compare_table(const Solution& s, const Json& values, const std::string& at, double unit,
                       double within) {
        need(values.is_object(), at, "expected an object");
        refuse_unknown(values, at,
                       {"schedule", "finish", "turnaround", "normalised_turnaround", "waiting", "response",
                        "mean_turnaround", "mean_normalised", "mean_waiting", "mean_response"});
        if (values.contains("schedule")) {
            const Json& list = values.at("schedule");
            const bool by_name = list.is_array() && !list.empty() && list[0].is_array() && !list[0].empty() &&
                                 list[0][0].is_string();
            compare(at + "/schedule",
                    by_name ? printed(list, at + "/schedule")
                            : pieces(list, at + "/schedule", static_cast<int>(exercise_.jobs.size()) - 1),
                    s.schedule[0]);
        }
        const auto column = [&](const char* key, const char* mean, double mean_unit, auto value) {
            const std::string of = at + "/" + key;
            double sum = 0;
            for (std::size_t i = 0; i < s.jobs.size(); ++i) sum += value(i);
            if (values.contains(key)) {
                const Json& list = array(values.at(key), of);
                need(list.size() == s.jobs.size(), of, "expected one value for each process");
                for (std::size_t i = 0; i < list.size(); ++i)
                    compare_number(fmt::format("{}/{}", of, i), real(list[i], fmt::format("{}/{}", of, i)),
                                   value(i), within);
            }
            if (values.contains(mean))
                compare_number(at + "/" + mean, real(values.at(mean), at + "/" + mean),
                               sum / static_cast<double>(s.jobs.size()) * mean_unit, within);
        };
        const auto& jobs = exercise_.jobs;
        column("finish", "", unit,
               [&](std::size_t i) { return in_units(jobs[i].arrival + s.jobs[i].turnaround); });
        column("turnaround", "mean_turnaround", unit,
               [&](std::size_t i) { return in_units(s.jobs[i].turnaround); });
        column("normalised_turnaround", "mean_normalised", 1,
               [&](std::size_t i) { return in_units(s.jobs[i].turnaround) / in_units(jobs[i].length); });
        column("waiting", "mean_waiting", unit, [&](std::size_t i) { return in_units(s.jobs[i].waiting); });
        column("response", "mean_response", unit,
               [&](std::size_t i) { return in_units(s.jobs[i].response); });
    }

    double real(const Json& value, const std::string& at) const {
        need(value.is_number(), at, "expected a number");
        return value.get<double>();
    }

    // Solves the exercise with other tie rules. The result is "same" or a table, usually with finish times
    // only.
    void other_conventions(const Json& t, const std::string& at, const std::string& policy,
                           const std::string& name, const Options& options) {
        static const std::map<std::string, std::pair<std::string, std::string>> kConventions{
            {"preempted process before the newcomer", {"newcomer", "last"}},
            {"equals: the newest arrival first", {"equals", "newest"}},
            {"a process alone goes down, too", {"alone", "goes_down"}},
            {"equals: the last of the list first", {"equals", "last"}},
            {"preempted: to the front, with the rest of its slice", {"preempted", "head"}}};
        const std::string of = at + "/other_conventions";
        need(t.at("other_conventions").is_object(), of, "expected an object");
        for (const auto& [convention, result] : t.at("other_conventions").items()) {
            const std::string here = of + "/" + pointer_piece(convention);
            const auto known = kConventions.find(convention);
            if (known == kConventions.end())
                fail(here, fmt::format("unknown convention '{}'", shown(convention)));
            begin_case(fmt::format("{}, {}", id_, convention), policy);
            Options with = options;
            with.push_back(known->second);
            const Solution s = solved(exercise_, policy_for(name, with));
            if (!s.jobs.empty()) {
                const bool same = result == "same";
                compare_table(s, same ? t.at("computed") : result, same ? at + "/computed" : here, 1,
                              kFourDigits);
            }
            end_case();
        }
    }

    // --- real-time sets ---

    void real_time(const Json& t, const std::string& at) {
        refuse_unknown(t, at,
                       {"id", "source", "tasks", "utilisation", "bound", "late", "published", "computed",
                        "checked_against", "note"});
        const Json& computed = member(t, at, "computed");
        need(computed.is_object(), at + "/computed", "expected an object");
        read_tasks(t, at);
        for (const auto& [rule, wanted] : computed.items()) {
            const std::string of = at + "/computed/" + pointer_piece(rule);
            need(wanted.is_object(), of, "expected an object");
            const bool fixed = rule != "rm" && rule != "edf";
            const std::string policy = fixed ? "fixed priority" : rule;
            if (!is_wanted(policy)) continue;
            begin_case(id_, policy);
            if (fixed) rank(rule, of);
            exercise_.end = time(member(wanted, of, "over"), of + "/over", 100'000);
            const Solution s = solved(exercise_, policy_for(rule == "rm"    ? "rate-monotonic"
                                                            : rule == "edf" ? "edf"
                                                                            : "priority",
                                                            {}));
            if (!s.jobs.empty()) compare_set(s, t, wanted, of, rule, at);
            end_case();
        }
    }

    void read_tasks(const Json& t, const std::string& at) {
        const Json& tasks = array(member(t, at, "tasks"), at + "/tasks");
        need(!tasks.empty() && tasks.size() <= 40, at + "/tasks", "expected 1 to 40 tasks");
        const bool gives_up = t.contains("late") && word(t.at("late"), at + "/late") == "give_up";
        exercise_ = {};
        double utilisation = 0;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            const std::string of = fmt::format("{}/tasks/{}", at, i);
            const Json& task = tasks[i];
            need(task.is_object(), of, "expected an object");
            refuse_unknown(task, of, {"name", "c", "period", "deadline"});
            ExerciseJob job{.name = word(member(task, of, "name"), of + "/name"),
                            .length = time(member(task, of, "c"), of + "/c", 10'000),
                            .period = time(member(task, of, "period"), of + "/period", 10'000),
                            .deadline = time(member(task, of, "deadline"), of + "/deadline", 10'000),
                            .gives_up = gives_up};
            need(job.length > Nanos{} && job.period > Nanos{} && job.deadline > Nanos{}, of,
                 "expected times above 0");
            utilisation += in_units(job.length) / in_units(job.period);
            exercise_.jobs.push_back(job);
        }
        utilisation_ = utilisation;
    }

    // Sets the priorities from a rule such as "[1, 0]": task indices, highest priority first.
    void rank(const std::string& rule, const std::string& at) {
        const Json order = Json::parse(rule, nullptr, false);
        need(order.is_array() && order.size() == exercise_.jobs.size(), at,
             "expected rm, edf or an order of all tasks");
        for (std::size_t i = 0; i < order.size(); ++i)
            exercise_
                .jobs[static_cast<std::size_t>(
                    number(order[i], at, static_cast<std::int64_t>(exercise_.jobs.size()) - 1))]
                .priority = static_cast<std::int32_t>(i + 1);
    }

    void compare_set(const Solution& s, const Json& t, const Json& wanted, const std::string& of,
                     const std::string& rule, const std::string& at) {
        refuse_unknown(wanted, of, {"feasible", "schedule", "misses", "over"});
        const int most = static_cast<int>(exercise_.jobs.size()) - 1;
        if (const Json& schedule = member(wanted, of, "schedule"); schedule != "long")
            compare(of + "/schedule", pieces(schedule, of + "/schedule", most), s.schedule[0]);
        Stretches misses;
        for (const auto& [who, release] : s.misses) misses.push_back({static_cast<int>(who), release});
        compare(of + "/misses", pieces(member(wanted, of, "misses"), of + "/misses", most), misses);
        compare_number(of + "/feasible", member(wanted, of, "feasible") == true, s.misses.empty(), 0);
        compare_number(at + "/utilisation", real(member(t, at, "utilisation"), at + "/utilisation"),
                       utilisation_, kFourDigits);
        const Json& published = member(t, at, "published");
        if (!published.is_object() || !published.contains(rule)) return;
        const std::string printed_at = at + "/published/" + pointer_piece(rule);
        const Json& said = published.at(rule);
        if (said.contains("feasible"))
            compare_number(printed_at + "/feasible", said.at("feasible") == true, s.misses.empty(), 0);
        if (said.contains("schedule")) {
            Stretches known = printed(said.at("schedule"), printed_at + "/schedule");
            Stretches begin = s.schedule[0];
            if (begin.size() > known.size()) begin.resize(known.size());
            // The last printed segment may be cut off.
            if (!begin.empty() && !known.empty() && begin.back().length > known.back().length)
                begin.back().length = known.back().length;
            compare(printed_at + "/schedule", known, begin);
        }
        if (said.contains("first_miss")) {
            const Json& miss = said.at("first_miss");
            need(miss.is_array() && miss.size() == 2, printed_at + "/first_miss",
                 "expected [task, release time]");
            const auto who = static_cast<int>(process(miss[0], printed_at + "/first_miss/0"));
            const auto first =
                std::find_if(misses.begin(), misses.end(), [&](const Piece& m) { return m.who == who; });
            const Nanos release = time(miss[1], printed_at + "/first_miss/1");
            if (first == misses.end())
                differs(printed_at + "/first_miss", "the task misses no deadline");
            else
                compare(printed_at + "/first_miss/1", release, first->length);
        }
    }

    // --- shares ---

    // Processor sharing is the limit of round robin for short quanta; 1/1000 of a unit is close enough.
    void processor_sharing(const Json& t, const std::string& at) {
        if (!is_wanted("processor sharing")) return;
        read_processes(t, at);
        begin_case(id_, "processor sharing");
        constexpr std::int64_t kFine = 1'000;
        for (ExerciseJob& job : exercise_.jobs) {
            need(job.length <= 100 * kBookUnit && job.arrival <= 100 * kBookUnit, at,
                 "expected times up to 100");
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

    void proportional_share(const Json& t, const std::string& at) {
        const std::string policy = word(member(t, at, "policy"), at + "/policy");
        if (!is_wanted(policy)) return;
        begin_case(id_, policy);
        const Json& params = member(t, at, "params");
        const Json& published = member(t, at, "published");
        if (policy == "stride")
            stride(params, published, at);
        else if (policy == "lottery")
            lottery(t, params, published, at);
        else
            leave_out("not an exercise for a scheduler");
        end_case();
    }

    // Creates endless jobs with these tickets, and a run of `quanta` quanta.
    void share(const Json& tickets, const std::string& at, std::size_t quanta) {
        exercise_ = {};
        exercise_.end = static_cast<std::int64_t>(quanta) * kBookUnit;
        std::size_t i = 0;
        for (const auto& [key, value] : tickets.items()) {
            const std::string name = tickets.is_array() ? std::string(1, static_cast<char>('A' + i)) : key;
            exercise_.jobs.push_back({.name = name,
                                      .length = exercise_.end + kBookUnit,
                                      .tickets = number(value, at, 1'000'000, 1)});
            need(++i <= 26, at, "expected at most 26 jobs");
        }
    }
    Stretches order_of(const Json& list, const std::string& at) const {
        Stretches result;
        for (std::size_t i = 0; i < array(list, at).size(); ++i) {
            const auto who = static_cast<int>(process(list[i], fmt::format("{}/{}", at, i)));
            if (!result.empty() && result.back().who == who)
                result.back().length += kBookUnit;
            else
                result.push_back({who, kBookUnit});
        }
        return result;
    }

    void stride(const Json& params, const Json& published, const std::string& at) {
        const Json& order = array(member(published, at + "/published", "order"), at + "/published/order");
        share(member(params, at + "/params", "tickets"), at + "/params/tickets", order.size());
        const Solution s = solved(exercise_, policy_for("stride", {{"quantum", "1"}, {"big", "10000"}}));
        if (s.jobs.empty()) return;
        compare(at + "/published/order", order_of(order, at + "/published/order"), s.schedule[0]);
        const std::string of = at + "/published/passes";
        const Json& passes = array(member(published, at + "/published", "passes"), of);
        for (std::size_t i = 0; i < passes.size() && i < s.fields.size() && !replaced(); ++i)
            for (std::size_t k = 0; k < array(passes[i], of).size() && k < s.fields[i].size(); ++k)
                compare_number(fmt::format("{}/{}/{}", of, i, k), real(passes[i][k], of),
                               static_cast<double>(s.fields[i][k]), 0);
    }

    void lottery(const Json& t, const Json& params, const Json& published, const std::string& at) {
        const Json& order = array(member(published, at + "/published", "order"), at + "/published/order");
        share(member(params, at + "/params", "tickets"), at + "/params/tickets", order.size());
        const Json& draws = array(member(t, at, "draws"), at + "/draws");
        std::string list;
        for (std::size_t i = 0; i < draws.size(); ++i)
            list += fmt::format("{}{}", i > 0 ? "/" : "",
                                number(draws[i], fmt::format("{}/draws/{}", at, i), 1'000'000));
        const Solution s = solved(exercise_, policy_for("lottery", {{"quantum", "1"}, {"draws", list}}));
        if (!s.jobs.empty())
            compare(at + "/published/order", order_of(order, at + "/published/order"), s.schedule[0]);
    }

    // --- other exercises ---

    // The turns of a CTSS job with a doubling quantum. Predictions of the next burst cannot be replayed,
    // because policies here receive the burst length.
    void prediction(const Json& t, const std::string& at) {
        const std::string policy = t.contains("policy") ? "feedback" : "prediction";
        if (!is_wanted(policy)) return;
        begin_case(id_, policy);
        if (policy == "feedback")
            turns(t, at);
        else
            leave_out("predictions of the next burst: policies here receive its length");
        end_case();
    }
    void turns(const Json& t, const std::string& at) {
        const Json& params = member(t, at, "params");
        exercise_ = {};
        exercise_.jobs.push_back(
            {.name = "job", .length = time(member(params, at, "length"), at + "/params/length", 10'000)});
        exercise_.end = exercise_.jobs[0].length + kBookUnit;
        const Solution s =
            solved(exercise_, policy_for("feedback", {{"doubling", "yes"}, {"alone", "goes_down"}}));
        const std::string of = at + "/published/turns";
        const std::vector<Nanos> recorded = times(member(member(t, at, "published"), at, "turns"), of);
        if (s.jobs.empty()) return;
        if (recorded.size() != s.turns.size())
            return differs(of,
                           fmt::format("recorded: {}  replayed: {} turns", recorded.size(), s.turns.size()));
        for (std::size_t i = 0; i < recorded.size(); ++i)
            compare(fmt::format("{}/{}", of, i), recorded[i],
                    (i + 1 < s.turns.size() ? s.turns[i + 1] : s.end) - s.turns[i]);
    }

    void utilisation(const Json& t, const std::string& at) {
        if (!is_wanted("utilisation") || replaced()) return;
        begin_case(id_, "utilisation");
        const Json& tasks = array(member(t, at, "tasks"), at + "/tasks");
        double sum = 0;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            const std::string of = fmt::format("{}/tasks/{}", at, i);
            need(tasks[i].is_array() && tasks[i].size() == 2, of, "expected [time, period]");
            const Nanos period = time(tasks[i][1], of + "/1");
            need(period > Nanos{}, of, "expected a period above 0");
            sum += in_units(time(tasks[i][0], of + "/0")) / in_units(period);
        }
        const std::string of = at + "/published/utilisation";
        compare_number(of, real(member(member(t, at, "published"), at + "/published", "utilisation"), of),
                       sum, kFourDigits);
        end_case();
    }

    void starting_deadline(const Json&, const std::string&) {
        if (!is_wanted("starting deadlines")) return;
        begin_case(id_, "starting deadlines");
        leave_out("tasks that are rejected if they have not started in time: no kernel here rejects a task");
        end_case();
    }

    Json root_;
    Exercise exercise_;
    std::string id_;
    double utilisation_ = 0;
};

}  // namespace

void replay_book_tables(const JsonTree& text, VerifyResult& result, const VerifyOptions& options) {
    BookTables(text, result, options).replay();
}

}  // namespace sim
