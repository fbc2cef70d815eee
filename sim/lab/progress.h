// Interface for reporting the progress of long runs.
#pragma once

#include "sim/core/engine.h"

namespace sim::lab {

// Receives the progress of one run after another.
class ProgressDisplay {
  public:
    virtual ~ProgressDisplay() = default;
    // A run starts from the state `m` and ends at `limits`.
    virtual void start(const Machine& m, const Limits& limits) = 0;
    // The run has reached the state `m`. Called many times per second.
    virtual void show(const Machine& m) = 0;
    // The run has ended.
    virtual void end() = 0;

  protected:
    ProgressDisplay() = default;
    ProgressDisplay(const ProgressDisplay&) = default;
    ProgressDisplay& operator=(const ProgressDisplay&) = default;
};

// Reports the start of a run in the constructor and its end in the destructor.
class RunProgressReporter {
  public:
    // `progress`: null if there is nothing to report to. REQUIRES: `m` is the state in which the run starts.
    RunProgressReporter(ProgressDisplay* progress, const Machine& m, const Limits& limits)
        : progress_(progress) {
        if (progress_ != nullptr) progress_->start(m, limits);
    }
    ~RunProgressReporter() {
        if (progress_ != nullptr) progress_->end();
    }
    RunProgressReporter(const RunProgressReporter&) = delete;
    RunProgressReporter& operator=(const RunProgressReporter&) = delete;

    void show(const Machine& m) {
        if (progress_ != nullptr) progress_->show(m);
    }

  private:
    ProgressDisplay* progress_;
};

}  // namespace sim::lab
