// `switchyard run`: simulates a scenario and prints the results.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include "sim/base/join.h"
#include "sim/base/problem.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/policy_on_machine.h"
#include "sim/cli/progress.h"
#include "sim/core/summary.h"
#include "sim/lab/follow_run.h"
#include "sim/lab/simulation.h"
#include "sim/lab/summary_json.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/scenario_json.h"
#include "sim/scenario/workload_edit.h"
#include "sim/views/views.h"

namespace sim::cli {
namespace {

struct RunOptions : CommonOptions {
    std::string view;
    std::string interval;                    // empty: kInterval
    std::optional<std::uint32_t> frequency;  // none: kFrequency
    std::string pids, command;               // empty: all
    std::uint64_t switches = 0;
    bool expect = false, latency = false;
};

constexpr const char* kInterval = "1s";
constexpr std::uint32_t kFrequency = 99;
constexpr std::uint32_t kMostFrequent = 100'000;  // default of kernel.perf_event_max_sample_rate

Limits limits(const Scenario& scenario, const RunOptions& o) {
    Limits limits = lab::limits_of(scenario);
    if (o.switches > 0) limits.switches = o.switches;
    return limits;
}

Summary simulate(const Scenario& scenario, const NamedPolicy& policy, const RunOptions& o) {
    lab::Simulation simulation(scenario, policy);
    TerminalProgress progress(o.quiet);
    simulation.run(limits(scenario, o), progress.get());
    return simulation.summary();
}

const char* stop_reason_text(StopReason reason) {
    switch (reason) {
        case StopReason::until:
            return "the end time was reached";
        case StopReason::all_exited:
            return "all tasks exited";
        case StopReason::deadlock:
            return "deadlock: all remaining tasks wait, and nothing will wake them";
        case StopReason::switch_limit:
            return "the limit of switches was reached";
        case StopReason::decision_limit:
            return "the limit of decisions was reached";
        case StopReason::event_limit:
            return "the limit of events was reached";
        case StopReason::task_limit:
            return "a fork failed because all task rows are in use: raise max_tasks";
        case StopReason::livelock:
            return "livelock: tasks repeat steps that take no time, so the simulated time does not advance";
        case StopReason::policy_failed:
            return "the policy script failed";
    }
    return "";
}

std::string time_table(const Summary& s) {
    const Overhead& o = s.time.overhead;
    struct Row {
        const char* key;
        Nanos time;
        const char* what;
    };
    const Row rows[] = {{"user", s.time.user, "the tasks' own work"},
                        {"system", o.system, "system calls"},
                        {"search", o.select, "schedule(): searching for a task, or updating the queue"},
                        {"recalc", o.recalculation, "schedule(): recalculating counters"},
                        {"switch", o.context_switch, "the context switch itself"},
                        {"address_space", o.address_space, "address-space switch: page tables, TLB"},
                        {"cache_refill", o.cache_refill, "cold caches"},
                        {"stolen", o.stolen, "virtual CPUs that waited for their host"},
                        {"interrupts", o.interrupts, "interrupt handlers"},
                        {"idle", s.time.idle, "nothing to run"}};
    const double all = std::max(1.0, static_cast<double>(s.simulated.count()) * s.cpus);
    std::string text;
    for (const Row& row : rows) {
        if (row.time == 0ns) continue;
        const double share = static_cast<double>(row.time.count()) / all;
        text += fmt::format("  {:<14}{} {:>8}  {:>12}  {}\n", row.key, text_bar(share, 24), percent(share),
                            human_time(row.time), row.what);
    }
    return text;
}

std::string task_table(const Summary& s) {
    constexpr std::size_t kMost = 10;
    std::vector<const Summary::TaskSummary*> tasks;
    for (const Summary::TaskSummary& t : s.tasks) tasks.push_back(&t);
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](auto* a, auto* b) { return a->user + a->system > b->user + b->system; });
    std::string text =
        fmt::format("  {:>6} {:<18} {:<9} {:>12} {:>12} {:>12} {:>11} {:>11} {:>11}\n", "PID", "task",
                    "state", "user", "kernel", "ready", "voluntary", "involuntary", "yields");
    for (std::size_t i = 0; i < std::min(kMost, tasks.size()); ++i) {
        const Summary::TaskSummary& t = *tasks[i];
        text += fmt::format("  {:>6} {:<18} {:<9} {:>12} {:>12} {:>12} {:>11} {:>11} {:>11}\n", t.pid, t.name,
                            t.state, human_time(t.user), human_time(t.system), human_time(t.ready),
                            group_digits(t.voluntary), group_digits(t.involuntary), group_digits(t.yields));
    }
    if (tasks.size() > kMost) text += fmt::format("  ... and {} more tasks\n", tasks.size() - kMost);
    return text;
}

// Switches and yields: numbers, and rates per second.
std::string switch_lines(const Summary& s) {
    const double seconds = std::max(1e-9, static_cast<double>(s.simulated.count()) / 1e9);
    const auto rate = [&](std::uint64_t count) {
        const double r = static_cast<double>(count) / seconds;
        return r < 10 ? fmt::format("{:.2f}/s", r)
                      : group_digits(static_cast<std::uint64_t>(std::llround(r))) + "/s";
    };
    const SwitchCounts& n = s.switches;
    std::string text = fmt::format("switches    {} ({}): {} voluntary, {} involuntary, {} from idle\n",
                                   group_digits(n.total()), rate(n.total()), group_digits(n.voluntary),
                                   group_digits(n.involuntary), group_digits(n.from_idle));
    text += fmt::format(
        "            to another address space {}, in the same {}, to a kernel thread {}, to idle {}\n",
        group_digits(n.other_mm), group_digits(n.same_mm), group_digits(n.kernel_thread),
        group_digits(n.to_idle));
    if (const std::uint64_t calls = s.yields.calls; calls > 0) {
        const auto all = static_cast<double>(s.time.total().count()) / 1e3;
        const std::string each = s.time.is_mostly_kernel_time()
                                     ? fmt::format(", {:.4g} us each", all / static_cast<double>(calls))
                                     : std::string{};
        text += fmt::format("yields      {} ({}){}; share that caused a switch: {:.4f}\n",
                            group_digits(calls), rate(calls), each,
                            static_cast<double>(s.yields.switched) / static_cast<double>(calls));
    }
    return text;
}

// The work of schedule(), and the run queue that it found.
std::string schedule_lines(const Summary& s) {
    const Summary::ScheduleCallCounts& work = s.schedule;
    const auto calls = static_cast<double>(std::max<std::uint64_t>(1, work.calls));
    std::string text = fmt::format("schedule()  {} calls, {:.4g} tasks considered each",
                                   group_digits(work.calls), static_cast<double>(work.considered) / calls);
    if (work.recalculations > 0)
        text +=
            fmt::format("; {} recalculations, one in {:.4g} calls, {} counters recalculated",
                        group_digits(work.recalculations), calls / static_cast<double>(work.recalculations),
                        group_digits(work.recalculated));
    if (work.queue_steps > 0)
        text += fmt::format("; {} queue steps, {:.4g} each", group_digits(work.queue_steps),
                            static_cast<double>(work.queue_steps) / calls);
    const Summary::RunQueue& q = s.runqueue;
    return text +
           fmt::format(
               "\n"
               "run queue   mean {:.3g}, longest {}, over 10 tasks in {} of the calls, 20 or more in {}\n",
               q.mean, q.max, percent(q.share_over_10), percent(q.share_20_or_more));
}

// Returns an empty string if there are no jobs with deadlines.
std::string deadline_line(const std::optional<Summary::Deadlines>& d) {
    if (!d) return {};
    const std::string latest =
        d->missed > 0 ? fmt::format("; maximum lateness {}", human_time(d->max_lateness)) : std::string{};
    return fmt::format("deadlines   {} jobs: {} met, {} missed{}\n", group_digits(d->jobs),
                       group_digits(d->met), group_digits(d->missed), latest);
}

const char* no_effect_reason(const Summary::Intervention& intervention) {
    if (!intervention.result) return "the run ended before this time";
    switch (*intervention.result) {
        case InterventionResult::done:
            break;
        case InterventionResult::no_task:
            return "the task did not exist";
        case InterventionResult::awake:
            return "the task was awake";
        case InterventionResult::asleep:
            return "the task was asleep";
    }
    return "";
}

// States how many interventions of the scenario took effect, and lists those without effect. Returns an empty
// string if there are no interventions.
std::string intervention_lines(const std::vector<Summary::Intervention>& interventions) {
    if (interventions.empty()) return {};
    std::string lines;
    std::size_t done = 0;
    for (const Summary::Intervention& intervention : interventions) {
        if (intervention.result == InterventionResult::done)
            ++done;
        else
            lines +=
                fmt::format("            no effect: {} {} at {}; {}\n", intervention.kind, intervention.task,
                            human_time(intervention.at), no_effect_reason(intervention));
    }
    return fmt::format("interventions  {} of {} took effect\n", done, interventions.size()) + lines;
}

// The mean times that textbook exercises ask for, if every task is a job of one burst; otherwise empty.
std::string job_line(const Scenario& scenario, const Summary::Jobs& jobs) {
    for (std::size_t i = 0; i < scenario.groups.size(); ++i)
        if (!has_single_burst(scenario, i)) return {};
    if (!jobs.mean_turnaround || !jobs.mean_waiting || !jobs.mean_response) return {};
    const auto time = [](double ns) { return human_time(Nanos{std::llround(ns)}); };
    return fmt::format("jobs        {} finished: mean turnaround {}, waiting {}, response {}\n",
                       group_digits(jobs.finished), time(*jobs.mean_turnaround), time(*jobs.mean_waiting),
                       time(*jobs.mean_response));
}

// The machine's name with an article: "a pentium-mmx-200", "an ideal". A machine without a file has no name.
std::string with_article(const std::string& machine) {
    if (machine.empty()) return "a machine defined in the scenario";
    const bool sounds = std::string_view("aeiou").find(machine.front()) != std::string_view::npos;
    return (sounds ? "an " : "a ") + machine;
}

// Tables of the times that tasks waited for a CPU: all waits, waits that started with a wake-up, and waits
// that have not ended. Each table has one row for all tasks and one row for each task group that had waits.
std::string latency_table(const Scenario& scenario, const lab::Latencies& latencies, Nanos now) {
    std::string text;
    const auto table = [&](const char* title, SpanHistogram lab::LatencyHistograms::*spans) {
        text += fmt::format("\n{}\n  {:<18} {:>11} {:>12} {:>12} {:>12} {:>12} {:>12}\n", title, "", "waits",
                            "mean", "median", "p90", "p99", "longest");
        const auto row = [&](const std::string& name, const SpanHistogram& h) {
            if (h.count() == 0) return;
            text += fmt::format("  {:<18} {:>11} {:>12} {:>12} {:>12} {:>12} {:>12}\n", shorten(name, 18),
                                group_digits(h.count()), human_time(h.mean()), human_time(h.percentile(50)),
                                human_time(h.percentile(90)), human_time(h.percentile(99)),
                                human_time(h.max_span()));
        };
        row("all", latencies.all().*spans);
        for (std::size_t i = 0; i < scenario.groups.size(); ++i)
            row(scenario.groups[i].name, latencies.by_group()[i].*spans);
    };
    table("Waits for a CPU, from ready to running", &lab::LatencyHistograms::waits);
    table("Of these, waits that started with a wake-up", &lab::LatencyHistograms::wakeups);
    const std::vector<lab::UnfinishedWaits> waiting = latencies.unfinished_waits(now);
    const auto row = [&](const std::string& name, const lab::UnfinishedWaits& w) {
        if (w.count > 0)
            text += fmt::format("  {:<18} {:>11} {:>12} {:>51}\n", shorten(name, 18), group_digits(w.count),
                                human_time(w.sum / static_cast<std::int64_t>(w.count)), human_time(w.most));
    };
    if (total(waiting).count == 0) return text;
    text += fmt::format("\nTasks still waiting at the end\n  {:<18} {:>11} {:>12} {:>51}\n", "", "tasks",
                        "mean", "longest");
    row("all", total(waiting));
    for (std::size_t i = 0; i < scenario.groups.size(); ++i) row(scenario.groups[i].name, waiting[i]);
    return text;
}

std::string text_of(const Scenario& scenario, const lab::Simulation& simulation, bool quiet) {
    const Summary s = simulation.summary();
    std::string text =
        fmt::format("{}{}{}\n", s.scenario, scenario.title.empty() ? "" : ": ", scenario.title);
    if (!scenario.question.empty()) text += scenario.question + "\n";
    text += fmt::format("\npolicy {}, seed {}, {} simulated on {}; {}\n\n", s.policy, s.seed,
                        human_time(s.simulated), with_article(scenario.machine.name),
                        stop_reason_text(s.stop_reason));
    text += switch_lines(s) + schedule_lines(s) + deadline_line(s.deadlines) + job_line(scenario, s.jobs) +
            intervention_lines(s.interventions);
    text += fmt::format("\nWhere the time went\n{}\nTasks, by CPU time\n{}", time_table(s), task_table(s));
    if (simulation.latencies() != nullptr)
        text += latency_table(scenario, *simulation.latencies(), s.simulated);
    text += fmt::format("\nhash {:016x}\n", s.hash);
    if (!quiet && !scenario.hint.empty()) text += fmt::format("\nHint: {}\n", scenario.hint);
    return text;
}

// Checks each assertion under its own policy. Returns whether all hold.
bool check_expectations(const Scenario& scenario, const std::string& default_policy, const RunOptions& o,
                        std::string& text) {
    bool all = true;
    std::vector<std::string> done;
    for (const Assertion& first : scenario.assertions) {
        const std::string spec = first.policy.empty() ? default_policy : first.policy;
        if (std::find(done.begin(), done.end(), spec) != done.end()) continue;
        done.push_back(spec);
        const nlohmann::ordered_json summary =
            lab::to_json(simulate(scenario, make_policy(spec, scenario.cpus), o));
        for (const Assertion& assertion : scenario.assertions) {
            if ((assertion.policy.empty() ? default_policy : assertion.policy) != spec) continue;
            const lab::AssertionResult r = lab::check_assertion(assertion, summary);
            text += fmt::format("{}  {}: {}\n", r.holds ? "holds" : "FAILS", spec, r.text);
            all = all && r.holds;
        }
    }
    if (done.empty()) text += "the scenario has no assertions\n";
    return all;
}

std::vector<std::string> view_names() {
    std::vector<std::string> names;
    for (const views::View& view : views::all_views()) names.push_back(view.name);
    return names;
}

bool accepts_option(const views::View& view, views::ViewOption option) {
    return std::find(view.options.begin(), view.options.end(), option) != view.options.end();
}

std::vector<std::string> views_with_option(views::ViewOption option) {
    std::vector<std::string> names;
    for (const views::View& view : views::all_views())
        if (accepts_option(view, option)) names.push_back(view.name);
    return names;
}

Nanos parse_interval(const RunOptions& o, const Limits& limits) {
    std::string why;
    const std::optional<Nanos> interval = parse_time(o.interval.empty() ? kInterval : o.interval, why);
    if (!interval) throw UsageError("--interval: " + why);
    if (*interval < 1ms) throw UsageError("--interval: expected at least 1ms");
    constexpr std::int64_t kMostReports = 1'000'000;
    if (limits.until / *interval > kMostReports)
        throw UsageError(
            fmt::format("--interval: expected a longer interval; {} reports exceed the limit of {}",
                        limits.until / *interval, kMostReports));
    return *interval;
}

// The numbers in --pid, which are separated by commas.
std::vector<std::uint32_t> parse_pids(const RunOptions& o) {
    std::vector<std::uint32_t> pids;
    for (std::size_t begin = 0; !o.pids.empty() && begin <= o.pids.size();) {
        const std::size_t end = std::min(o.pids.find(',', begin), o.pids.size());
        std::uint32_t pid = 0;
        const auto [rest, error] = std::from_chars(o.pids.data() + begin, o.pids.data() + end, pid);
        if (error != std::errc{} || rest != o.pids.data() + end)
            throw UsageError(fmt::format("--pid: expected process ids separated by commas, got {}", o.pids));
        pids.push_back(pid);
        begin = end + 1;
    }
    return pids;
}

std::string view_text(const Scenario& scenario, const Policy& policy, const RunOptions& o) {
    const views::View& view = *std::find_if(views::all_views().begin(), views::all_views().end(),
                                            [&](const views::View& v) { return v.name == o.view; });
    const Limits all = limits(scenario, o);
    const Nanos interval =
        accepts_option(view, views::ViewOption::interval) ? parse_interval(o, all) : Nanos{};
    TerminalProgress progress(o.quiet);
    try {
        return view.print({scenario, policy, all, interval, o.frequency.value_or(kFrequency), parse_pids(o),
                           o.command, progress.get()});
    } catch (const views::ViewError& error) {
        throw UsageError(error.what());
    }
}

// Throws UsageError unless the view accepts the option `name`.
void check_view_option(const RunOptions& o, const char* name, views::ViewOption option) {
    const std::vector<std::string> names = views_with_option(option);
    if (std::find(names.begin(), names.end(), o.view) != names.end()) return;
    std::string why = "--view is not specified";
    if (!o.view.empty())
        why = option == views::ViewOption::interval    ? o.view + " prints one report at the end"
              : option == views::ViewOption::frequency ? o.view + " takes no samples"
                                                       : o.view + " shows all tasks";
    throw UsageError(fmt::format("{} needs --view {}; {}", name, join(names, ", "), why));
}

void check_view_options(const RunOptions& o) {
    if (!o.interval.empty()) check_view_option(o, "--interval", views::ViewOption::interval);
    if (o.frequency) check_view_option(o, "--freq", views::ViewOption::frequency);
    if (!o.pids.empty()) check_view_option(o, "--pid", views::ViewOption::pid);
    if (!o.command.empty()) check_view_option(o, "--comm", views::ViewOption::command);
}

int execute_run(const RunOptions& o) {
    check_view_options(o);
    if (o.policies.size() > 1)
        throw UsageError("run takes only one --policy; `switchyard compare` takes several");
    const PolicyOnMachine side =
        load_policies_on_machines(o, {o.policies.empty() ? "" : o.policies.front()}).front();
    const Scenario& scenario = side.scenario;
    const NamedPolicy& policy = side.policy;

    if (o.is_json() && (o.expect || !o.view.empty()))
        throw UsageError("--expect and --view print text; they cannot be used with --format json");
    if (o.latency && (o.expect || !o.view.empty()))
        throw UsageError("--latency cannot be used with --expect or --view");
    if (o.expect) {
        std::string text;
        const bool all = check_expectations(scenario, side.spec, o, text);
        write_output_text(text, o.output);
        return all ? kDone : kFailed;
    }
    if (!o.view.empty()) {
        write_output_text(view_text(scenario, *policy.policy, o), o.output);
        return kDone;
    }
    lab::Simulation simulation(scenario, policy);
    if (o.latency) simulation.collect_latencies();
    TerminalProgress progress(o.quiet);
    simulation.run(limits(scenario, o), progress.get());
    nlohmann::ordered_json json = o.is_json() ? lab::to_json(simulation.summary()) : nlohmann::ordered_json{};
    if (o.is_json() && o.latency)
        json["latency"] = to_json(*simulation.latencies(), scenario, simulation.now());
    write_output_text(o.is_json() ? json_text(json, 2) + "\n" : text_of(scenario, simulation, o.quiet),
                      o.output);
    return kDone;
}

}  // namespace

void add_run_command(Command& program) {
    auto o = std::make_shared<RunOptions>();
    Command& command = program.add_command("run", "simulate a scenario and print a summary");
    add_scenario_options(command, *o);
    command.add_repeatable(
        "--policy", o->policies, "POLICY[@MACHINE]",
        "policy: NAME[:option=value,...], optionally on another machine; see `switchyard list policies`");
    command
        .add_option(
            "--view", o->view,
            "print what this tool would show on the simulated machine, or print the jobs or the schedule of "
            "the run")
        .check(one_of(view_names()));
    command
        .add_option("--interval", o->interval,
                    fmt::format("simulated time between two reports of {}",
                                join(views_with_option(views::ViewOption::interval), ", ")))
        .type_name("TIME")
        .show_default(kInterval);
    command
        .add_option("--freq", o->frequency,
                    fmt::format("samples per second of simulated time, for {}",
                                join(views_with_option(views::ViewOption::frequency), ", ")))
        .type_name("HZ")
        .check(in_range(1u, kMostFrequent))
        .show_default(std::to_string(kFrequency));
    command
        .add_option("--pid", o->pids,
                    fmt::format("show only these processes, separated by commas, in {}",
                                join(views_with_option(views::ViewOption::pid), ", ")))
        .type_name("PID,...");
    command
        .add_option("--comm", o->command,
                    fmt::format("show only tasks with NAME in their name, in {}",
                                join(views_with_option(views::ViewOption::command), ", ")))
        .type_name("NAME");
    command.add_option("--switches", o->switches, "stop after N context switches").type_name("N");
    command.add_flag("--latency", o->latency,
                     "also print how long tasks waited for a CPU, in total and per task group");
    command.add_flag("--expect", o->expect, "check the assertions of the scenario; exit 1 if one fails");
    add_output_options(command, *o);
    command.set_examples({"switchyard run yield-processes --policy linux-2.0:yield=one_tick",
                          "switchyard run two-hogs --until 2s --format json",
                          "switchyard run interactive-vs-hog --until 5s --view vmstat"});
    command.set_action([o] { return execute_run(*o); });
}

}  // namespace sim::cli
