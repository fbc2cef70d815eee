// The web site of the 1997 document: what was measured on it, simulated over the same 17 hours.
#include <fmt/format.h>

#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/tables.h"
#include "sim/scenario_json.h"
#include "sim/summary.h"

namespace sim::cli {
namespace {

TableResult reproduce(bool quiet) {
    const Scenario scenario = load_scenario("web-server");
    const NamedPolicy policy = make_policy(scenario.policy);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(scenario.shape);
    const StopReason reason =
        run_with_progress(engine, m, limits_of(scenario), {.statistics = &statistics}, quiet);
    const auto s = summarize(scenario, policy.spec(), m, statistics, reason);

    const auto switches = static_cast<double>(s["switches"]["total"].get<std::uint64_t>());
    const double seconds = s["simulated_ns"].get<double>() / 1e9;
    const auto& q = s["runqueue"];
    struct Figure {
        const char* what;
        double published, simulated, least, most;
        const char* unit;
        const char* format;
    };
    const Figure figures[] = {
        {"context switches in 17 h", 24'221'164, switches, 0.97 * 24'221'164, 1.03 * 24'221'164, "",
         "{:.0f}"},
        {"context switches per second", 400, switches / seconds, 388, 412, "1/s", "{:.1f}"},
        {"mean run queue", 2.5, q["mean"].get<double>(), 2.25, 2.75, "tasks", "{:.2f}"},
        {"longest run queue", 36, q["max"].get<double>(), 30, 42, "tasks", "{:.0f}"},
        {"over ten ready, % of switches", 4, 100 * q["share_over_10"].get<double>(), 3, 5, "%", "{:.2f}"},
        {"twenty or more, % of switches", 0.1, 100 * q["share_20_or_more"].get<double>(), 0.06, 0.16, "%",
         "{:.3f}"},
        {"switches per recalculation", 200, switches / s["schedule"]["recalcs"].get<double>(), 170, 235, "",
         "{:.0f}"},
    };

    TableResult result;
    result.text = fmt::format(
        "web-server: the site of the 1997 document, {} simulated, policy {}\n\n  {:<32} {:>12} {:>12}\n",
        human_time(m.globals().now), policy.spec(), "", "published", "simulated");
    for (const Figure& f : figures) {
        const auto show = [&](double value) { return fmt::format(fmt::runtime(f.format), value); };
        const bool near = f.simulated >= f.least && f.simulated <= f.most;
        result.holds = result.holds && near;
        result.text += fmt::format("  {:<32} {:>12} {:>12}{}\n", f.what, fmt::format("{:.10g}", f.published),
                                   show(f.simulated), near ? "" : "   not near");
        result.cells.push_back({f.what, "site", f.published, f.simulated, f.unit, false});
    }
    result.text +=
        "\nThe document gives 400 switches a second and, a sentence before, 24,221,164 in 17 hours, which is "
        "396.\n"
        "The workload is fitted: its few numbers were tuned until these figures came out, so they show that "
        "such a\n"
        "load exists and what it looks like inside, not that the simulator predicts a web site "
        "(docs/model.md).\n"
        "Next: switchyard compare web-server --until 10min --policy linux-2.0 --policy sorted-queue\n";
    return result;
}

}  // namespace

Table web_server_table() {
    return {"web-server", "the figures of a busy web site of 1997: switches, run queue, recalculations",
            "the 1997 document on sched_yield, section on the search loop and the recalc loop", false,
            reproduce};
}

}  // namespace sim::cli
