// Virtual times over a stretch of a run: for each task of one CPU's run queue a curve of how far its vruntime
// is ahead of min_vruntime, and for linux-6.6 one of V, the average that parts who is eligible from who is
// not.
//
// What is shown are the decisions: then the running task has just been charged, and all times are those by
// which the kernel chooses. Between two of them the curves are straight.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/scenario.h"
#include "sim/plot/plot.h"
#include "sim/policies/virtual_times.h"

namespace sim::figures {

// What there is to draw, gathered decision by decision.
class VruntimeCurves {
  public:
    // Of this CPU. REQUIRES: kernel is not none; the scenario outlives this.
    VruntimeCurves(const Scenario& scenario, fair::FairKernel kernel, CpuId cpu)
        : scenario_(scenario), kernel_(kernel), cpu_(cpu) {}

    // After a decision of that CPU. `prev` had it before, with this pid; one that has gone to sleep in it is
    // shown once more, charged for what it ran.
    void add(const Machine& m, TaskId prev, std::uint32_t pid);

    std::size_t decisions() const { return decisions_; }
    // Whether nobody of the fair class was there at any of them.
    bool empty() const { return curves_.empty(); }

    // Of the tasks those that run longest, as many as can be told apart, in the order of their ids.
    plot::Plot plot(Nanos from, Nanos to, const std::string& title, const std::string& source) const;

  private:
    using Points = std::vector<plot::DataPoint>;
    struct Curve {
        std::string name;
        std::vector<Points> pieces;  // a sleep parts two of them
        bool goes_on = false;        // it was runnable at the latest decision
        Nanos ran{};
    };

    void add_point(const Machine& m, const fair::VirtualTask& task);

    const Scenario& scenario_;
    fair::FairKernel kernel_;
    CpuId cpu_;
    std::map<std::pair<TaskId, std::uint32_t>, Curve> curves_;  // by row and pid: rows are used again
    Curve average_;
    Nanos last_{};  // the latest decision
    std::size_t decisions_ = 0;
};

}  // namespace sim::figures
