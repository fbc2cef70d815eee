// The laboratory: varies one value of the scenario under several policies, and simulates the runs between
// frames.
//
// The request is plain data, as typed (LabRequest in ViewState). The results are here and can be tested
// without a window. Finished runs are cached, so another measure, policy or value costs only the new runs.
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

// The possible x axes: the knobs of the what-if strip except the seed.
std::vector<Knob> lab_axes(const sim::Scenario& scenario);
// Suggested values around the current one, comma-separated.
std::string lab_values(const Knob& knob, const sim::Scenario& scenario);
// The default request. Axis: the first number of tasks, or HZ. Policies: `policy`, linux-2.0, sorted-queue;
// also the patched yield if `policy` is linux-2.0 (any options) and a task yields. One seed; runs of two
// simulated seconds at most.
LabRequest default_lab_request(const sim::Scenario& scenario, const std::string& policy);
// The policies to choose from: all kernel policies, the patched yield, and those of the request.
std::vector<std::string> lab_policies(const LabRequest& request);

// The order in which to simulate `n` values in a row: the ends, the middle, then the middles of the gaps.
std::vector<std::size_t> coarse_first(std::size_t n);

class Laboratory {
  public:
    // The scenario with the changes made in the window.
    struct Subject {
        std::string source;              // a file, or the name of a built-in scenario
        std::vector<std::string> sets;   // POINTER=VALUE
        sim::ScenarioText carried = {};  // the text from a link; then `source` is only its name

        bool operator==(const Subject&) const = default;
    };

    // Starts another sweep if the request has changed. If it is invalid, error() describes why and the
    // current sweep is kept.
    void ask(const Subject& subject, const LabRequest& request);
    // Simulates until the deadline, at least one chunk. Returns whether there is more to do.
    bool work(Deadline deadline);
    void stop() { stopped_ = true; }
    void go_on() { stopped_ = false; }
    void clear();

    bool is_asked(const Subject& subject, const LabRequest& request) const {
        return asked_ && subject == subject_ && request == request_;
    }
    const std::string& error() const { return error_; }

    bool is_there() const { return sweep_ != nullptr; }
    bool is_stopped() const { return stopped_; }
    bool is_complete() const { return is_there() && results_->runs() == spec().runs(); }

    // REQUIRES, for all of these: is_there().
    const sim::lab::SweepSpec& spec() const { return sweep_->spec(); }
    const sim::lab::Results& results() const { return *results_; }
    const sim::lab::Measure& measure() const { return results_->measures()[measure_]; }
    std::size_t measure_index() const { return measure_; }
    const sim::lab::Axis& axis() const { return spec().axes.front(); }
    const std::string& unit() const { return unit_; }  // unit of the axis
    const std::vector<sim::lab::Curve>& curves() const { return curves_; }
    const std::vector<sim::lab::Crossover>& crossovers() const { return crossovers_; }
    double progress() const;                                // 0 to 1
    std::optional<double> seconds_left() const;             // wall time; none until it can be estimated
    const std::string& each_run() const { return until_; }  // simulated time: "2s"

    // The figure, and a number that changes with it and is unique among all laboratories.
    const sim::plot::Plot& plot() const { return plot_; }
    std::uint64_t revision() const { return revision_; }
    // The position of one of the scenario's values on the x axis; none if it is of another kind.
    std::optional<double> x_of(const std::string& value) const;

    // The label of a curve's point. A click on it opens run_at().
    std::string words(std::size_t curve, std::size_t point) const;
    // "sorted-queue is cheaper than linux-2.0 from 9 on (about 8.3) (8: 12.95 against 13.1; 10: ...)"
    std::string words(const sim::lab::Crossover& crossover) const;
    std::uint64_t run_at(std::size_t curve, std::size_t point) const;
    // The POINTER=VALUE settings of a run: those of the window, with the values of this run.
    std::vector<std::string> sets_of(std::uint64_t run) const;
    const std::string& policy_of(std::uint64_t run) const;

    // The command that computes the same table.
    std::string command() const;
    // The results file of `switchyard sweep --results`, and the figure that `switchyard figure sweep` draws
    // from a file of that name. REQUIRES: is_complete().
    std::string results_file() const;
    std::string figure(const std::string& results_name) const;

  private:
    void begin();
    void order_runs(const std::vector<std::string>& values);
    void measure_anew();
    void take(sim::lab::Row row);
    void draw_anew();
    std::string key_of(std::uint64_t run) const;

    bool asked_ = false;
    Subject subject_;
    LabRequest request_;
    std::string error_;

    // The current sweep; request_ may be a later, invalid one.
    std::unique_ptr<sim::lab::Sweep> sweep_;
    Subject swept_;
    LabRequest swept_request_;
    std::vector<std::string> measures_;  // requested; empty: chosen by workload
    std::string base_;                   // the text and settings that the runs of the sweep have in common
    std::string until_, unit_;
    std::unique_ptr<sim::lab::Results> results_;
    std::size_t measure_ = 0;
    std::vector<sim::lab::Curve> curves_;
    std::vector<sim::lab::Crossover> crossovers_;
    sim::plot::Plot plot_;
    inline static std::uint64_t drawn_ = 0;
    std::uint64_t revision_ = 0;

    std::map<std::string, sim::lab::Row> rows_;  // results of all sweeps with this base_
    std::vector<std::uint64_t> order_;           // runs that were missing when the sweep started
    std::size_t next_ = 0;                       // index into order_
    std::unique_ptr<sim::lab::SweepRun> run_;    // the run order_[next_]; may be null
    std::uint64_t chunk_ = 1;                    // decisions per SweepRun::advance()
    bool stopped_ = false;
    std::chrono::steady_clock::time_point worked_{};  // end of the last work()
    std::chrono::duration<double> spent_{};           // wall time since the sweep started, without pauses
};

// Why the values of an axis are invalid; empty if they are valid.
std::string wrong_values(std::string_view text);

}  // namespace ui
