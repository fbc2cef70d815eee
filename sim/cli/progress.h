// Progress of a simulation on standard error.
#pragma once

#include <chrono>

#include "sim/lab/progress.h"

namespace sim::cli {

// Prints only on a terminal, and only if the run takes long.
class TerminalProgress : public lab::ProgressDisplay {
  public:
    explicit TerminalProgress(bool quiet);

    // The object to pass to runs; null if no progress will be printed.
    lab::ProgressDisplay* get() { return on_ ? this : nullptr; }

    void start(const Machine& m, const Limits& limits) override;
    // Prints at most ten times per second.
    void show(const Machine& m) override;
    // Erases the progress line.
    void end() override;

  private:
    using Clock = std::chrono::steady_clock;  // wall clock: for the display, never for the simulation

    bool on_, shown_ = false;
    Nanos from_{}, until_{};
    Clock::time_point begin_, next_;
};

}  // namespace sim::cli
