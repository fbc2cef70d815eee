// `switchyard tour`: prints the guided tour of a scenario; the window shows the same stops.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <utility>

#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/explain/decision_view.h"
#include "sim/explain/explain.h"
#include "sim/replay/session.h"
#include "sim/scenario/json_text.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kWidth = 100;

// The runs of the two policies used last, simulated up to the latest stops. A stop needs two runs. More
// runs could exhaust memory, because a scenario may name hundreds of policies and a run may have tens of
// thousands of tasks.
class PolicySessions {
  public:
    explicit PolicySessions(Scenario scenario)
        : scenario_(std::make_shared<const Scenario>(std::move(scenario))) {}

    const Scenario& scenario() const { return *scenario_; }
    Session& session_under(const std::string& policy) {
        if (latest_.policy != policy) std::swap(latest_, other_);
        if (latest_.policy != policy || !latest_.session) {
            latest_ = {};
            latest_ = {policy, std::make_unique<Session>(
                                   scenario_, make_policy(policy.empty() ? scenario_->policy : policy,
                                                          scenario_->cpus))};
        }
        return *latest_.session;
    }

  private:
    std::shared_ptr<const Scenario> scenario_;
    struct Run {
        std::string policy;
        std::unique_ptr<Session> session;
    };
    Run latest_, other_;
};

// States which task each CPU runs: "C runs"; with several CPUs "cpu0: C runs, cpu1: idle".
std::string running_tasks_text(const Scenario& scenario, const Machine& m) {
    std::string text;
    for (CpuId c = 0; c < scenario.cpus; ++c) {
        const TaskId p = m.cpu(c).current;
        text += fmt::format("{}{}{}", c == 0 ? "" : ", ", scenario.cpus > 1 ? fmt::format("cpu{}: ", c) : "",
                            m.is_idle_task(p) ? std::string("idle") : scenario.task_name(m, p) + " runs");
    }
    return text;
}

// Returns the state of the run at the stop as text, and adds it to `entry`. If `shows_decision` is true, the
// text includes the latest decision.
std::string run_text(Session& session, const SeekTarget& place, ordered_json& entry, bool shows_decision) {
    if (!session.seek(place)) {
        entry["reached"] = false;
        return fmt::format("     under {}: this run has no {} {}\n", session.policy().spec(),
                           to_string(*place.kind), place.n);
    }
    const Machine& m = session.machine();
    const Globals& g = m.globals();
    entry["reached"] = true;
    entry["time_ns"] = g.now.count();
    entry["decisions"] = g.decisions;
    entry["switches"] = g.switches;
    std::string text =
        fmt::format("     under {}, at {}, after decision {} and switch {}: {}\n", session.policy().spec(),
                    format_time(g.now), g.decisions, g.switches, running_tasks_text(session.scenario(), m));
    if (!shows_decision || g.decisions == 0) return text;
    if (const std::optional<DecisionView> view = session.history().decision_at(g.decisions)) {
        const auto name = [&](TaskId p) { return session.scenario().task_name(view->after, p); };
        text += explain_decision(view->log, session.policy(), name, "       ");
    }
    return text;
}

int execute_tour(const CommonOptions& o) {
    PolicySessions runs(o.load_scenario_with_settings());
    const Scenario& scenario = runs.scenario();
    if (scenario.tour.empty())
        throw UsageError(
            fmt::format("'{}' has no tour; the key \"tour\" of a scenario describes a tour", o.scenario));
    std::string text =
        fmt::format("{}{}{}\n", scenario.name, scenario.title.empty() ? "" : ": ", scenario.title);
    ordered_json list = ordered_json::array();
    for (std::size_t i = 0; i < scenario.tour.size(); ++i) {
        const TourStop& stop = scenario.tour[i];
        text += fmt::format("\n{}/{}  {}\n", i + 1, scenario.tour.size(), stop.title);
        text += wrapped(stop.caption, kWidth, "     ");
        ordered_json entry{{"title", stop.title}, {"caption", stop.caption}};
        Session& session = runs.session_under(stop.policy);
        const bool decided = stop.at.kind.has_value();
        text += run_text(session, stop.at, entry, decided);
        if (!stop.compare.empty()) {
            // As in the window, the second run is shown at the same time as the first run, after all events
            // at this time. `beside` is initialized as an object: nlohmann/json converts null to an object in
            // two steps, and if memory runs out in between, an invalid pointer is freed.
            ordered_json beside = ordered_json::object();
            text += run_text(runs.session_under(stop.compare), {.kind = {}, .time = session.now() + 1ns},
                             beside, decided);
            entry["beside"] = std::move(beside);
        }
        list.push_back(std::move(entry));
    }
    if (!o.quiet)
        text +=
            fmt::format("\nIn the window: switchyard-ui {}; press PageDown for the next stop.\n", o.scenario);
    write_output_text(o.is_json() ? json_text(list, 2) + "\n" : text, o.output);
    return kDone;
}

}  // namespace

void add_tour_command(Command& program) {
    auto o = std::make_shared<CommonOptions>();
    Command& command = program.add_command("tour", "print the guided tour of a scenario, stop by stop");
    add_scenario_options(command, *o);
    add_output_options(command, *o);
    command.set_examples({"switchyard tour yield-processes", "switchyard tour yield-processes --quiet",
                          "switchyard tour yield-processes --format json"});
    command.set_action([o] { return execute_tour(*o); });
}

}  // namespace sim::cli
