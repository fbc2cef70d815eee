// Progress of a simulation on standard error.
#pragma once

#include <chrono>

#include "sim/core/engine.h"
#include "sim/core/scenario.h"

namespace sim::cli {

// Prints only on a terminal, and only if the run takes long.
class Progress {
  public:
    // REQUIRES: the machine is in the state in which the run starts.
    Progress(const Machine& m, const Limits& limits, bool quiet);
    ~Progress();  // erases the line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    bool is_on() const { return on_; }
    // Prints at most ten times per second.
    void show(const Machine& m);

  private:
    using Clock = std::chrono::steady_clock;  // wall clock: for the display, never for the simulation

    bool on_, shown_ = false;
    Nanos from_, until_;
    Clock::time_point begin_, next_;
};

// Runs up to `limits` and shows progress.
StopReason run_with_progress(const Engine& engine, Machine& m, const Limits& limits, const Sinks& sinks,
                             bool quiet);

// The end of the run that the scenario specifies.
Limits limits_of(const Scenario& scenario);

}  // namespace sim::cli
