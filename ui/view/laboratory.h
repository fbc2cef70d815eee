// The laboratory: varies one value of the scenario under several policies, and simulates the runs between
// frames.
//
// The request is plain data, as typed (LabRequest in ViewState). The class Laboratory computes the results;
// it needs no window. Finished runs are cached: after a change of the request, only the runs that are not
// in the cache are simulated.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lab/crossover.h"
#include "sim/lab/curves.h"
#include "sim/lab/sweep_run.h"
#include "sim/plot/plot.h"
#include "ui/view/knobs.h"
#include "ui/view/model.h"
#include "ui/view/view_state.h"

namespace ui {

inline constexpr std::size_t kMostLabPolicies = 8, kMostLabValues = 200;
inline constexpr std::uint64_t kMostLabRuns = 5'000;

// The values that can be the x axis: those in the what-if strip, except the seed.
std::vector<Knob> lab_axes(const sim::Scenario& scenario);
// Suggested values for an axis, separated by commas: some below and some above the scenario's current value.
std::string suggested_lab_values(const Knob& knob, const sim::Scenario& scenario);
// The default request. Axis: the first number of tasks or, if there is none, HZ. Policies: `policy`,
// linux-2.0 and sorted-queue. If `policy` is linux-2.0 (with any options) and a task yields, also
// linux-2.0:yield=one_tick. One seed. Each run simulates at most two seconds.
LabRequest default_lab_request(const sim::Scenario& scenario, const std::string& policy);
// The policies to choose from: all policies that are not scripts, linux-2.0:yield=one_tick, and the policies
// of the request.
std::vector<std::string> lab_policies(const LabRequest& request);

// The order in which to simulate `n` adjacent values: first both ends, then the middle, then the middles of
// the gaps.
std::vector<std::size_t> coarse_to_fine_order(std::size_t n);

class Laboratory {
  public:
    // The scenario to simulate, with the changes that were made in the window.
    struct BaseScenario {
        std::string source;                  // path of a file, or name of a built-in scenario
        std::vector<std::string> sets;       // POINTER=VALUE
        sim::ScenarioText linked_text = {};  // scenario from a link; `source` is then only its name

        bool operator==(const BaseScenario&) const = default;
    };

    // Starts another sweep if the scenario or the request has changed. If the request is invalid, keeps the
    // current sweep; error() then returns what is wrong.
    void set_request(const BaseScenario& scenario, const LabRequest& request);
    // Simulates at least one chunk, and continues until the deadline. Returns true if work remains.
    bool work(Deadline deadline);
    void stop() { stopped_ = true; }
    void resume() { stopped_ = false; }
    void clear();

    bool is_current_request(const BaseScenario& scenario, const LabRequest& request) const {
        return asked_ && scenario == subject_ && request == request_;
    }
    const std::string& error() const { return error_; }

    bool has_sweep() const { return sweep_ != nullptr; }
    bool is_stopped() const { return stopped_; }
    bool is_complete() const { return has_sweep() && results_->added_run_count() == spec().runs(); }

    // REQUIRES, for all functions below: has_sweep().
    const sim::lab::SweepSpec& spec() const { return sweep_->spec(); }
    const sim::lab::SweepResults& results() const { return *results_; }
    const sim::lab::Measure& measure() const { return results_->measures()[measure_]; }
    std::size_t measure_index() const { return measure_; }
    const sim::lab::Axis& axis() const { return spec().axes.front(); }
    const std::string& unit() const { return unit_; }  // unit of the axis
    const std::vector<sim::lab::Curve>& curves() const { return curves_; }
    const std::vector<sim::lab::Crossover>& crossovers() const { return crossovers_; }
    double progress() const;                                    // 0 to 1
    std::optional<double> seconds_left() const;                 // wall time; none until it can be estimated
    const std::string& time_per_run() const { return until_; }  // simulated time of each run: "2s"

    // The figure of the curves. plot_revision() changes when the figure changes, and is unique among all
    // laboratories.
    const sim::plot::Plot& plot() const { return plot_; }
    std::uint64_t plot_revision() const { return revision_; }
    // The x coordinate of a value, given as text such as "530ns"; nullopt if its unit differs from that of
    // the axis.
    std::optional<double> x_coordinate_of(const std::string& value) const;

    // The label of a point of a curve. A click on the point opens the run that run_at() returns.
    std::string point_text(std::size_t curve, std::size_t point) const;
    // A crossover of two curves in words; see sim::lab::crossover_text().
    std::string crossover_text(const sim::lab::Crossover& crossover) const;
    std::uint64_t run_at(std::size_t curve, std::size_t point) const;
    // The settings of a run as POINTER=VALUE (a JSON pointer into the scenario): the settings of the window,
    // except where the run itself sets another value.
    std::vector<std::string> settings_of(std::uint64_t run) const;
    const std::string& policy_of(std::uint64_t run) const;

    // The `switchyard sweep` command that makes the same sweep.
    std::string command() const;
    // results_file_text(): the file that `switchyard sweep --results` writes. figure_svg(): the figure
    // that `switchyard figure sweep` draws from a results file with this name. REQUIRES: is_complete().
    std::string results_file_text() const;
    std::string figure_svg(const std::string& results_name) const;

  private:
    void begin_sweep();
    void order_runs(const std::vector<std::string>& values);
    void collect_results();
    void store_result(sim::lab::Row row);
    void update_figure();
    std::string cache_key_of(std::uint64_t run) const;

    bool asked_ = false;
    BaseScenario subject_;
    LabRequest request_;
    std::string error_;

    // The current sweep. It may differ from request_, which may be a later, invalid request.
    std::unique_ptr<sim::lab::Sweep> sweep_;
    BaseScenario swept_;
    LabRequest swept_request_;
    std::vector<std::string> measures_;  // requested measures; empty: the workload determines the measures
    std::string base_;                   // text and settings that all runs of the sweep share
    std::string until_, unit_;
    std::unique_ptr<sim::lab::SweepResults> results_;
    std::size_t measure_ = 0;
    std::vector<sim::lab::Curve> curves_;
    std::vector<sim::lab::Crossover> crossovers_;
    sim::plot::Plot plot_;
    inline static std::uint64_t drawn_ = 0;
    std::uint64_t revision_ = 0;

    // Results of all runs with this base_, with cache_key_of() as key.
    std::map<std::string, sim::lab::Row> rows_;
    // Runs that were not in the cache when the sweep started, in order of simulation.
    std::vector<std::uint64_t> order_;
    std::size_t current_ = 0;                  // index into order_ of the first incomplete run
    std::unique_ptr<sim::lab::SweepRun> run_;  // the run order_[current_]; may be null
    std::uint64_t chunk_ = 1;                  // number of decisions per SweepRun::advance()
    bool stopped_ = false;
    std::chrono::steady_clock::time_point worked_{};  // end of the last work()
    std::chrono::duration<double> spent_{};           // wall time since the sweep started, without pauses
};

// The reason why the values of an axis are invalid; empty if they are valid.
std::string error_in_values(std::string_view text);

}  // namespace ui
