// Figure of virtual times over a time range: for each task of one CPU's run queue, a curve of vruntime -
// min_vruntime. For linux-6.6, the figure also has a curve of V, the average vruntime: tasks whose vruntime
// is at most V are eligible.
//
// Points are at decisions, when the running task has just been charged and the kernel compares the values.
// Lines between points are straight.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/scenario.h"
#include "sim/plot/plot.h"
#include "sim/policies/virtual_times.h"

namespace sim::figures {

// Collects the curves, decision by decision.
class VruntimeCurves {
  public:
    // REQUIRES: kernel is not none; the scenario outlives this object.
    VruntimeCurves(const Scenario& scenario, fair::FairKernel kernel, CpuId cpu)
        : scenario_(scenario), kernel_(kernel), cpu_(cpu) {}

    // Adds the points of a decision. Must be called after each decision of the CPU. `prev` and `pid`
    // identify the task that ran before the decision. If that task went to sleep, its curve gets a last
    // point, at which the task has been charged for its run time.
    void add_decision(const Machine& m, TaskId prev, std::uint32_t pid);

    std::size_t decisions() const { return decisions_; }
    // True if no task of the fair class was runnable at any decision.
    bool empty() const { return curves_.empty(); }

    // The figure with the curves of the tasks that ran longest, in the order of their ids; at most one
    // curve per line style.
    plot::Plot plot(Nanos from, Nanos to, const std::string& title, const std::string& source) const;

  private:
    using Points = std::vector<plot::DataPoint>;
    struct Curve {
        std::string name;
        std::vector<Points> pieces;  // parts of the curve, separated by sleeps of the task
        bool goes_on = false;        // true: the task was runnable at the latest decision
        Nanos ran{};
    };

    void add_point(const Machine& m, const fair::TaskVirtualTimes& task);

    const Scenario& scenario_;
    fair::FairKernel kernel_;
    CpuId cpu_;
    // By row and pid, because rows of the task table are reused.
    std::map<std::pair<TaskId, std::uint32_t>, Curve> curves_;
    Curve average_;
    Nanos last_{};  // time of the latest decision
    std::size_t decisions_ = 0;
};

}  // namespace sim::figures
