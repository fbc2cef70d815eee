// The laboratory: one number of the scenario takes many values, under several policies, and the curves grow
// while the runs are made between frames.
//
// What is asked for is plain data, as people write it (LabRequest, in the ViewState); what there is of it is
// here, and can be tested without a window. Runs that are done are kept, so that another measure, one policy
// more or a few values more cost only what is new.
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

// What may go along the x axis: the numbers that the what-if strip turns, but for the seed.
std::vector<Knob> lab_axes(const sim::Scenario& scenario);
// Values worth a look, around what the knob stands at.
std::string lab_values(const Knob& knob, const sim::Scenario& scenario);
// What to show when nobody asked for anything: the first of the axes; the policy, the patched yield where it
// is the search loop of 2.0 and somebody yields, and sorted-queue; one seed; no run longer than two simulated
// seconds.
LabRequest default_lab_request(const sim::Scenario& scenario, const std::string& policy);
// The policies to choose from: all there are, the patched yield, and those of the request.
std::vector<std::string> lab_policies(const LabRequest& request);

// The order in which to look at `n` values in a row: the ends, the middle, then the middles of the gaps.
std::vector<std::size_t> coarse_first(std::size_t n);

class Laboratory {
  public:
    // The scenario as it stands in the window.
    struct Subject {
        std::string source;              // a file, or the name of a built-in scenario
        std::vector<std::string> sets;   // POINTER=VALUE
        sim::ScenarioText carried = {};  // what came in a link; its source is only its name

        bool operator==(const Subject&) const = default;
    };

    // Begins another sweep when this is not what was asked for last. When something is wrong with it, error()
    // says what, and what is there stays.
    void ask(const Subject& subject, const LabRequest& request);
    // Simulates until the deadline, but a piece at least. Returns whether there is more to do.
    bool work(Deadline deadline);
    void stop() { stopped_ = true; }
    void go_on() { stopped_ = false; }
    // Forgets everything.
    void clear();

    bool is_asked(const Subject& subject, const LabRequest& request) const {
        return asked_ && subject == subject_ && request == request_;
    }
    const std::string& error() const { return error_; }

    bool is_there() const { return sweep_ != nullptr; }
    bool is_stopped() const { return stopped_; }
    bool is_complete() const { return is_there() && results_->runs() == spec().runs(); }

    // All of these REQUIRE is_there().
    const sim::lab::SweepSpec& spec() const { return sweep_->spec(); }
    const sim::lab::Results& results() const { return *results_; }
    const sim::lab::Measure& measure() const { return results_->measures()[measure_]; }
    std::size_t measure_index() const { return measure_; }
    const sim::lab::Axis& axis() const { return spec().axes.front(); }
    const std::string& unit() const { return unit_; }  // of the axis
    const std::vector<sim::lab::Curve>& curves() const { return curves_; }
    const std::vector<sim::lab::Crossover>& crossovers() const { return crossovers_; }
    double progress() const;                                // from 0 to 1
    std::optional<double> seconds_left() const;             // as far as can be told; for the person who waits
    const std::string& each_run() const { return until_; }  // simulated: "2s"

    // The figure, and a number that is another one whenever it changes, in all laboratories.
    const sim::plot::Plot& plot() const { return plot_; }
    std::uint64_t revision() const { return revision_; }
    // Where a value of the scenario's own lies on the x axis; nothing when it is of another kind.
    std::optional<double> x_of(const std::string& value) const;

    // What a person reads of a curve's point, and which run a click on it opens.
    std::string words(std::size_t curve, std::size_t point) const;
    // "sorted-queue is cheaper than linux-2.0 from 9 on (about 8.3) (8: 12.95 against 13.1; 10: ...)"
    std::string words(const sim::lab::Crossover& crossover) const;
    std::uint64_t run_at(std::size_t curve, std::size_t point) const;
    // All that is set for a run: what the window had set, with the values of the run in their places.
    std::vector<std::string> sets_of(std::uint64_t run) const;
    const std::string& policy_of(std::uint64_t run) const;

    // The command that makes the same table.
    std::string command() const;
    // The results file that `switchyard sweep --results` writes, and the figure that `switchyard figure
    // sweep` makes of it under that name. REQUIRES: is_complete().
    std::string results_file() const;
    std::string figure(const std::string& results_name) const;

  private:
    void begin();
    void measure_anew();
    void take(sim::lab::Row row);
    void draw_anew();
    std::string key_of(std::uint64_t run) const;

    bool asked_ = false;
    Subject subject_;
    LabRequest request_;
    std::string error_;

    // Of the sweep that is there; the request may be a later one with an error.
    std::unique_ptr<sim::lab::Sweep> sweep_;
    Subject swept_;
    LabRequest swept_request_;
    std::vector<std::string> measures_;  // asked for; empty: what fits
    std::string base_;                   // everything that its runs have in common
    std::string until_, unit_;
    std::unique_ptr<sim::lab::Results> results_;
    std::size_t measure_ = 0;
    std::vector<sim::lab::Curve> curves_;
    std::vector<sim::lab::Crossover> crossovers_;
    sim::plot::Plot plot_;
    inline static std::uint64_t drawn_ = 0;
    std::uint64_t revision_ = 0;

    std::map<std::string, sim::lab::Row> rows_;  // of all sweeps with this base
    std::vector<std::uint64_t> order_;           // the runs that were not there when it began
    std::size_t next_ = 0;                       // into order_
    std::unique_ptr<sim::lab::SweepRun> run_;    // that of order_[next_]
    std::uint64_t chunk_ = 1;                    // decisions at a time
    bool stopped_ = false;
    std::chrono::steady_clock::time_point worked_{};  // last
    std::chrono::duration<double> spent_{};           // since it began, pauses left out
};

// What is wrong with the values of an axis; empty when nothing is.
std::string wrong_values(std::string_view text);

}  // namespace ui
