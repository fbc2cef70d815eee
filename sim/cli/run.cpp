// `switchyard run`: simulate a scenario and print what came of it.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/views.h"
#include "sim/core/summary.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

struct RunOptions : CommonOptions {
    std::string view;
    std::string interval;  // empty: kInterval
    std::uint64_t switches = 0;
    bool expect = false;
};

constexpr const char* kInterval = "1s";

struct Result {
    ordered_json summary;
    StopReason reason{};
};

Limits limits(const Scenario& scenario, const RunOptions& o) {
    Limits limits = limits_of(scenario);
    if (o.switches > 0) limits.switches = o.switches;
    return limits;
}

Result simulate(const Scenario& scenario, const NamedPolicy& policy, const RunOptions& o) {
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(scenario.shape);
    const StopReason reason =
        run_with_progress(engine, m, limits(scenario, o), {.statistics = &statistics}, o.quiet);
    return {summarize(scenario, policy.spec(), m, statistics, reason), reason};
}

const char* meaning(StopReason reason) {
    switch (reason) {
        case StopReason::until:
            return "the time asked for was over";
        case StopReason::all_exited:
            return "all tasks had exited";
        case StopReason::deadlock:
            return "deadlock: every task left waits, and nothing will wake one";
        case StopReason::switch_limit:
            return "the number of switches asked for was reached";
        case StopReason::decision_limit:
            return "the number of decisions asked for was reached";
        case StopReason::event_limit:
            return "the number of events asked for was reached";
        case StopReason::task_limit:
            return "a fork found no free row: raise max_tasks";
        case StopReason::livelock:
            return "the clock stood still: tasks do without end what takes no time";
    }
    return "";
}

std::string time_table(const ordered_json& s) {
    struct Row {
        const char* key;
        const char* what;
    };
    constexpr Row kRows[] = {{"user", "the tasks' own work"},
                             {"system", "system calls"},
                             {"select", "schedule(): the search, or keeping the queue in order"},
                             {"recalc", "schedule(): refilling counters"},
                             {"switch", "the context switch itself"},
                             {"address_space", "another address space: page tables, TLB"},
                             {"cache_refill", "cold caches"},
                             {"idle", "nothing to do"}};
    const double all = std::max(1.0, s["simulated_ns"].get<double>() * s["cpus"].get<double>());
    std::string text;
    for (const Row& row : kRows) {
        const auto ns = s["time_ns"][row.key].get<std::int64_t>();
        if (ns == 0) continue;
        const double share = static_cast<double>(ns) / all;
        text += fmt::format("  {:<14}{} {:>8}  {:>12}  {}\n", row.key, bar(share, 24), percent(share),
                            human_time(Nanos{ns}), row.what);
    }
    return text;
}

std::string task_table(const ordered_json& s) {
    constexpr std::size_t kMost = 10;
    std::vector<const ordered_json*> tasks;
    for (const ordered_json& t : s["tasks"]) tasks.push_back(&t);
    const auto cpu_time = [](const ordered_json* t) {
        return (*t)["user_ns"].get<std::int64_t>() + (*t)["system_ns"].get<std::int64_t>();
    };
    std::stable_sort(tasks.begin(), tasks.end(), [&](auto* a, auto* b) { return cpu_time(a) > cpu_time(b); });
    std::string text =
        fmt::format("  {:>6} {:<18} {:<9} {:>12} {:>12} {:>12} {:>11} {:>11} {:>11}\n", "PID", "task",
                    "state", "user", "kernel", "ready", "voluntary", "involuntary", "yields");
    for (std::size_t i = 0; i < std::min(kMost, tasks.size()); ++i) {
        const ordered_json& t = *tasks[i];
        const auto time = [&](const char* key) { return human_time(Nanos{t[key].get<std::int64_t>()}); };
        const auto count = [&](const char* key) { return grouped(t[key].get<std::uint64_t>()); };
        text += fmt::format("  {:>6} {:<18} {:<9} {:>12} {:>12} {:>12} {:>11} {:>11} {:>11}\n",
                            t["pid"].get<std::uint32_t>(), t["name"].get<std::string>(),
                            t["state"].get<std::string>(), time("user_ns"), time("system_ns"),
                            time("ready_ns"), count("voluntary"), count("involuntary"), count("yields"));
    }
    if (tasks.size() > kMost) text += fmt::format("  ... and {} more tasks\n", tasks.size() - kMost);
    return text;
}

std::string text_of(const Scenario& scenario, const Result& result, const RunOptions& o) {
    const ordered_json& s = result.summary;
    const auto n = [&](const char* group, const char* key) { return s[group][key].get<std::uint64_t>(); };
    const double seconds = std::max(1e-9, s["simulated_ns"].get<double>() / 1e9);
    const auto rate = [&](std::uint64_t count) {
        const double r = static_cast<double>(count) / seconds;
        return r < 10 ? fmt::format("{:.2f}/s", r)
                      : grouped(static_cast<std::uint64_t>(std::llround(r))) + "/s";
    };
    std::string text = fmt::format("{}{}{}\n", s["scenario"].get<std::string>(),
                                   scenario.title.empty() ? "" : ": ", scenario.title);
    if (!scenario.question.empty()) text += scenario.question + "\n";
    text += fmt::format(
        "\npolicy {}, seed {}, {} simulated on a {}; {}\n\n", s["policy"].get<std::string>(),
        s["seed"].get<std::uint64_t>(), human_time(Nanos{s["simulated_ns"].get<std::int64_t>()}),
        scenario.machine.name.empty() ? "machine of its own" : scenario.machine.name, meaning(result.reason));

    text += fmt::format("switches    {} ({}): {} voluntary, {} involuntary, {} from idle\n",
                        grouped(n("switches", "total")), rate(n("switches", "total")),
                        grouped(n("switches", "voluntary")), grouped(n("switches", "involuntary")),
                        grouped(n("switches", "from_idle")));
    text += fmt::format(
        "            to another address space {}, within one {}, to a kernel thread {}, to idle {}\n",
        grouped(n("switches", "other_mm")), grouped(n("switches", "same_mm")),
        grouped(n("switches", "kernel_thread")), grouped(n("switches", "to_idle")));
    if (const std::uint64_t calls = n("yields", "calls"); calls > 0) {
        text += fmt::format("yields      {} ({}), {:.4g} us each; the share that switched is {:.4f}\n",
                            grouped(calls), rate(calls),
                            s["simulated_ns"].get<double>() / 1e3 / static_cast<double>(calls),
                            static_cast<double>(n("yields", "switched")) / static_cast<double>(calls));
    }
    const std::uint64_t calls = std::max<std::uint64_t>(1, n("schedule", "calls"));
    text += fmt::format("schedule()  {} calls, {:.4g} tasks considered each", grouped(n("schedule", "calls")),
                        static_cast<double>(n("schedule", "considered")) / static_cast<double>(calls));
    if (const std::uint64_t recalcs = n("schedule", "recalcs"); recalcs > 0)
        text += fmt::format("; {} recalculations, one in {:.4g} calls, {} counters refilled",
                            grouped(recalcs), static_cast<double>(calls) / static_cast<double>(recalcs),
                            grouped(n("schedule", "recalculated")));
    if (n("schedule", "queue_steps") > 0)
        text += fmt::format("; {} queue steps, {:.4g} each", grouped(n("schedule", "queue_steps")),
                            static_cast<double>(n("schedule", "queue_steps")) / static_cast<double>(calls));
    const ordered_json& q = s["runqueue"];
    text += fmt::format(
        "\nrun queue   mean {:.3g}, longest {}, over ten {} of the time schedule() looked, twenty or more "
        "{}\n",
        q["mean"].get<double>(), q["max"].get<std::uint64_t>(), percent(q["share_over_10"].get<double>()),
        percent(q["share_20_or_more"].get<double>()));
    text += fmt::format("\nWhere the time went\n{}\nTasks, by CPU time\n{}", time_table(s), task_table(s));
    text += fmt::format("\nhash {}\n", s["hash"].get<std::string>());
    if (!o.quiet && !scenario.watch.empty()) text += fmt::format("\nWatch: {}\n", scenario.watch);
    return text;
}

// The scenario's claims, each under its own policy. Answers whether all hold.
bool check_expectations(const Scenario& scenario, const std::string& default_policy, const RunOptions& o,
                        std::string& text) {
    bool all = true;
    std::vector<std::string> done;
    for (const Expectation& first : scenario.expectations) {
        const std::string spec = first.policy.empty() ? default_policy : first.policy;
        if (std::find(done.begin(), done.end(), spec) != done.end()) continue;
        done.push_back(spec);
        const Result result = simulate(scenario, make_policy(spec, scenario.cpus), o);
        for (const Expectation& claim : scenario.expectations) {
            if ((claim.policy.empty() ? default_policy : claim.policy) != spec) continue;
            const ClaimResult r = check_claim(claim, result.summary);
            text += fmt::format("{}  {}: {}\n", r.holds ? "holds" : "FAILS", spec, r.text);
            all = all && r.holds;
        }
    }
    if (done.empty()) text += "the scenario claims nothing\n";
    return all;
}

std::vector<std::string> view_names(bool all) {
    std::vector<std::string> names;
    for (const View& view : views())
        if (all || view.has_intervals) names.push_back(view.name);
    return names;
}

Nanos interval_of(const RunOptions& o, const Limits& limits) {
    std::string why;
    const std::optional<Nanos> interval = parse_time(o.interval.empty() ? kInterval : o.interval, why);
    if (!interval) throw UsageError("--interval: " + why);
    if (*interval < 1ms) throw UsageError("--interval: at least 1ms is expected");
    constexpr std::int64_t kMostReports = 1'000'000;
    if (limits.until / *interval > kMostReports)
        throw UsageError(
            fmt::format("--interval: {} reports would be more than {}; a longer interval is expected",
                        limits.until / *interval, kMostReports));
    return *interval;
}

// What the tool would have printed.
std::string view_of(const Scenario& scenario, const Policy& policy, const RunOptions& o) {
    const View& view =
        *std::find_if(views().begin(), views().end(), [&](const View& v) { return v.name == o.view; });
    const Limits all = limits(scenario, o);
    return view.print({scenario, policy, all, view.has_intervals ? interval_of(o, all) : Nanos{}, o.quiet});
}

void check_view_options(const RunOptions& o) {
    if (o.interval.empty()) return;
    const std::vector<std::string> names = view_names(false);
    if (std::find(names.begin(), names.end(), o.view) != names.end()) return;
    throw UsageError(fmt::format(
        "--interval goes with --view {}; {}", fmt::join(names, ", "),
        o.view.empty() ? "there is no --view" : fmt::format("{} prints one report at the end", o.view)));
}

int execute_run(const RunOptions& o) {
    check_view_options(o);
    const Scenario scenario = o.load();
    if (o.policies.size() > 1) throw UsageError("run takes one --policy; `switchyard compare` takes several");
    const std::string spec = o.policies.empty() ? scenario.policy : o.policies.front();
    const NamedPolicy policy = make_policy(spec, scenario.cpus);

    if (o.json() && (o.expect || !o.view.empty()))
        throw UsageError("--expect and --view print text; --format json goes with neither");
    if (o.expect) {
        std::string text;
        const bool all = check_expectations(scenario, spec, o, text);
        deliver(text, o.output);
        return all ? kDone : kFailed;
    }
    if (!o.view.empty()) {
        deliver(view_of(scenario, *policy.policy, o), o.output);
        return kDone;
    }
    const Result result = simulate(scenario, policy, o);
    deliver(o.json() ? result.summary.dump(2) + "\n" : text_of(scenario, result, o), o.output);
    return kDone;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
    auto o = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "simulate a scenario and print a summary");
    add_scenario_options(*command, *o);
    command->add_option("--policy", o->policies, "NAME[:option=value,...]; see `switchyard list policies`")
        ->type_name("POLICY")
        ->expected(1)
        ->take_all();
    command->add_option("--view", o->view, "print what this tool would show of the simulated machine")
        ->check(one_of(view_names(true)));
    command
        ->add_option(
            "--interval", o->interval,
            fmt::format("simulated time between two reports of {}", fmt::join(view_names(false), ", ")))
        ->type_name("TIME")
        ->default_str(kInterval);
    command->add_option("--switches", o->switches, "stop after so many context switches")->type_name("N");
    command->add_flag("--expect", o->expect,
                      "check what the scenario claims about itself; exit 1 if a claim fails");
    add_output_options(*command, *o);
    set_examples(*command, {"switchyard run yield-processes --policy linux-2.0:yield=one_tick",
                            "switchyard run two-hogs --until 2s --format json",
                            "switchyard run interactive-vs-hog --until 5s --view vmstat"});
    command->callback([o, &exit_code] { exit_code = execute_run(*o); });
}

}  // namespace sim::cli
