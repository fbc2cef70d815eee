// `switchyard reschedule`: what a recording would have been under other schedulers, beside what it was.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/follow_run.h"
#include "sim/cli/given_files.h"
#include "sim/cli/output.h"
#include "sim/cli/read_recording.h"
#include "sim/exchange/waits.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

struct RescheduleOptions {
    ImportOptions import;
    std::vector<std::string> policies;
    std::string format = "text", output;
    std::uint32_t tasks = 10;
    bool quiet = false;
};

// A column: the recording, or a run of it.
struct WaitsColumn {
    std::string label;
    exchange::Waits waits;
    std::map<std::string, int> by_entry;  // the numbers of waits, by the entry of the scenario
    exchange::Agreement agreement;
};

const exchange::TaskWaits* waits_of(const WaitsColumn& column, const std::string& entry) {
    const auto place = column.by_entry.find(entry);
    return place == column.by_entry.end() ? nullptr : &column.waits.of(place->second);
}

// A forked task is called by its entry and its pid.
std::string entry_called(const std::string& name, const std::map<std::string, int>& entries) {
    if (entries.contains(name)) return name;
    return name.substr(0, name.rfind('.'));
}

void run_again(const Scenario& scenario, const std::string& policy_name,
               const std::map<std::string, int>& entries, bool quiet, WaitsColumn& column) {
    const NamedPolicy policy = make_policy(policy_name, scenario.cpus);
    column.label = policy.spec();
    tell_run(scenario, *policy.policy, limits_of(scenario),
             {.title = scenario.title, .cpus = scenario.cpus, .hz = scenario.machine.hz}, column.waits,
             quiet);
    for (std::size_t i = 0; i < column.waits.who().size(); ++i)
        column.by_entry[entry_called(column.waits.who()[i].name, entries)] = static_cast<int>(i);
}

struct WaitsRow {
    const char* label;
    std::string (*value)(const exchange::TaskWaits& w);
};

const WaitsRow kWaitsRows[] = {
    {"switches to a task", [](const exchange::TaskWaits& w) { return grouped(w.switches); }},
    {"preempted", [](const exchange::TaskWaits& w) { return grouped(w.preempted); }},
    {"CPU time", [](const exchange::TaskWaits& w) { return human_time(w.ran); }},
    {"waited for a CPU, in all", [](const exchange::TaskWaits& w) { return human_time(w.waits.sum()); }},
    {"  half of the waits up to",
     [](const exchange::TaskWaits& w) { return human_time(w.waits.percentile(50)); }},
    {"  90 % up to", [](const exchange::TaskWaits& w) { return human_time(w.waits.percentile(90)); }},
    {"  99 % up to", [](const exchange::TaskWaits& w) { return human_time(w.waits.percentile(99)); }},
    {"  the longest", [](const exchange::TaskWaits& w) { return human_time(w.waits.most()); }},
    {"after a wake-up, half up to",
     [](const exchange::TaskWaits& w) { return human_time(w.latency.percentile(50)); }},
    {"  90 % up to", [](const exchange::TaskWaits& w) { return human_time(w.latency.percentile(90)); }},
    {"  99 % up to", [](const exchange::TaskWaits& w) { return human_time(w.latency.percentile(99)); }},
    {"  the longest", [](const exchange::TaskWaits& w) { return human_time(w.latency.most()); }},
};

std::string waits_table(const std::vector<std::unique_ptr<WaitsColumn>>& columns,
                        const std::vector<std::string>& entries, std::uint32_t most) {
    constexpr int kLabel = 28;
    std::size_t width = 14;
    for (const auto& column : columns) width = std::max(width, column->label.size());
    const auto line = [&](const std::string& label,
                          const std::function<std::string(const WaitsColumn&)>& cell) {
        std::string text = fmt::format("{:<{}}", shorten(label, kLabel - 1), kLabel);
        for (const auto& column : columns) text += fmt::format("  {:>{}}", cell(*column), width);
        return text + "\n";
    };
    std::string text = line("", [](const WaitsColumn& c) { return c.label; });
    for (const WaitsRow& row : kWaitsRows)
        text += line(row.label, [&](const WaitsColumn& c) { return row.value(c.waits.all()); });
    text += line("on the recorded CPU", [](const WaitsColumn& c) { return percent(c.agreement.same_cpu); });
    text += line("running when recorded", [](const WaitsColumn& c) { return percent(c.agreement.any_cpu); });
    const auto of_tasks = [&](const char* title, Nanos (*value)(const exchange::TaskWaits&)) {
        text += fmt::format("\n{}\n", title);
        for (std::size_t i = 0; i < std::min<std::size_t>(most, entries.size()); ++i)
            text += line("  " + entries[i], [&](const WaitsColumn& c) {
                const exchange::TaskWaits* const w = waits_of(c, entries[i]);
                return w == nullptr ? std::string("-") : human_time(value(*w));
            });
    };
    of_tasks("Waited for a CPU, in all", [](const exchange::TaskWaits& w) { return w.waits.sum(); });
    of_tasks("99 % of the waits after a wake-up up to",
             [](const exchange::TaskWaits& w) { return w.latency.percentile(99); });
    if (entries.size() > most)
        text += fmt::format(
            "\nThese are the {} tasks of {} that waited longest when they were recorded (--tasks N).\n", most,
            grouped(entries.size()));
    return text;
}

ordered_json json_of_waits(const exchange::TaskWaits& w) {
    const auto spans = [](const SpanHistogram& h) {
        return ordered_json{{"count", h.count()},
                            {"sum_ns", h.sum().count()},
                            {"p50_ns", h.percentile(50).count()},
                            {"p90_ns", h.percentile(90).count()},
                            {"p99_ns", h.percentile(99).count()},
                            {"max_ns", h.most().count()}};
    };
    return {{"switches", w.switches},
            {"preempted", w.preempted},
            {"cpu_ns", w.ran.count()},
            {"waits", spans(w.waits)},
            {"wake_up_latency", spans(w.latency)}};
}

std::string waits_json(const std::vector<std::unique_ptr<WaitsColumn>>& columns,
                       const std::vector<std::string>& entries) {
    ordered_json list = ordered_json::array();
    for (const auto& column : columns) {
        ordered_json tasks = ordered_json::object();
        for (const std::string& entry : entries)
            if (const exchange::TaskWaits* const w = waits_of(*column, entry))
                tasks[entry] = json_of_waits(*w);
        list.push_back({{"side", column->label},
                        {"length_ns", column->waits.length().count()},
                        {"all", json_of_waits(column->waits.all())},
                        {"on_recorded_cpu", column->agreement.same_cpu},
                        {"running_when_recorded", column->agreement.any_cpu},
                        {"tasks", std::move(tasks)}});
    }
    return json_text(list, 2) + "\n";
}

int execute_reschedule(RescheduleOptions o) {
    if (o.policies.empty()) o.policies = {"linux-2.0", "linux-6.6"};
    for (const std::string& policy : o.policies) make_policy(policy);  // or else it says why not
    std::vector<std::unique_ptr<WaitsColumn>> columns;
    columns.push_back(std::make_unique<WaitsColumn>());
    WaitsColumn& recorded = *columns.front();
    recorded.label = "recorded";
    std::string text;
    std::map<std::string, int> entries;
    {
        ReadRecording read(o.import, &recorded.waits, o.quiet);
        read.maker().write([&](std::string_view piece) { text += piece; });
        const auto called = read.maker().entries();
        for (const auto& [key, entry] : called) entries.emplace(entry, 0);
        for (std::size_t i = 0; i < recorded.waits.who().size(); ++i) {
            const auto entry = called.find({recorded.waits.who()[i].pid, recorded.waits.who()[i].life});
            if (entry != called.end()) recorded.by_entry[entry->second] = static_cast<int>(i);
        }
    }
    const Scenario scenario = parse_scenario("the recording", std::move(text));
    text.clear();
    for (const std::string& policy : o.policies) {
        columns.push_back(std::make_unique<WaitsColumn>());
        run_again(scenario, policy, entries, o.quiet, *columns.back());
    }
    for (const auto& column : columns) {
        std::vector<int> same(column->waits.who().size(), -1);
        for (const auto& [entry, number] : column->by_entry)
            if (const auto place = recorded.by_entry.find(entry); place != recorded.by_entry.end())
                same[static_cast<std::size_t>(number)] = place->second;
        column->agreement = agreement_of(recorded.waits, column->waits, same);
    }
    std::vector<std::string> order;
    for (const auto& [entry, number] : recorded.by_entry) order.push_back(entry);
    std::stable_sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
        return waits_of(recorded, a)->waits.sum() > waits_of(recorded, b)->waits.sum();
    });
    deliver(o.format == "json" ? waits_json(columns, order) : waits_table(columns, order, o.tasks), o.output);
    return kDone;
}

}  // namespace

void add_reschedule(CLI::App& app, int& exit_code) {
    auto o = std::make_shared<RescheduleOptions>();
    CLI::App* command = app.add_subcommand(
        "reschedule",
        "how long the tasks of a recording waited, and how long they would have under other schedulers");
    add_import_options(*command, o->import);
    add_repeatable(*command, "--policy", o->policies, "POLICY",
                   "a scheduler to ask (linux-2.0 and linux-6.6)");
    command->add_option("--tasks", o->tasks, "rows for so many tasks (10)")->type_name("N");
    command->add_option("--format", o->format, "text or json")
        ->type_name("FORMAT")
        ->check(one_of({"text", "json"}));
    add_output_option(*command, o->output);
    command->add_flag("--quiet", o->quiet, "do not say what was noticed in the recording");
    set_examples(*command, {"switchyard reschedule tests/recordings/tracefs.txt",
                            "switchyard reschedule tests/recordings/interactive-vs-hog.txt --policy "
                            "sorted-queue --policy linux-2.4.22",
                            "switchyard reschedule tests/recordings/perf-script-ns.txt --quiet --policy "
                            "linux-2.6.24 --format json"});
    command->callback([o, &exit_code] { exit_code = execute_reschedule(*o); });
}

}  // namespace sim::cli
