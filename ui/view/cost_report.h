// Divides the time of a run, or of a range of the run, into parts such as user, search and idle. The pane
// COSTS shows the result.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/model.h"

namespace ui {

struct CostPart {
    const char* name;
    const char* meaning;
    sim::CpuActivity activity;  // determines the colour and the pattern in which the part is drawn
    sim::Nanos (*of)(const sim::TimeParts&);
};
inline constexpr std::size_t kCostParts = 10;
// All parts of the time. User time is first and idle time is last. The other parts are kernel time, in the
// order in which they occur in a kernel call.
const std::array<CostPart, kCostParts>& cost_parts();

struct CostReport {
    sim::TimeParts parts;
    std::uint64_t switches = 0, yields = 0;

    double share(std::size_t part) const;
    double share(sim::Nanos time) const;
    sim::Nanos kernel_time() const { return parts.overhead.total(); }
    // The sum of all parts, including user and idle time, divided by the number of yields; 0 without yields.
    // `switchyard run` reports this value as the cost of a yield.
    sim::Nanos time_per_yield() const;
    // The kernel time per switch; 0 without switches.
    sim::Nanos kernel_time_per_switch() const;
};

// The costs in `scope`. nullopt while they are being computed, or if the scope is the selection but no range
// is selected.
std::optional<CostReport> costs_of(const Run& run, CostScope scope, const ViewState& view);

// The title of a scope: "until 12.345 ms", "selection, 2.00 ms", "whole run, 2.00 s". For an incomplete
// run, "simulated so far, ..." replaces "whole run, ...".
std::string scope_title(const Run& run, CostScope scope, const ViewState& view);

// The mean `time` / `count` as text: below 100 ns with one decimal ("4.2 ns"), otherwise like span() ("27.3
// µs"). Returns "-" if `count` is 0. `whole_time`: the total of which `time` is a part; 0: none. If the mean
// of the total is at least 1 µs, both means have the same unit, so that they are easy to compare.
std::string mean_time_text(sim::Nanos time, std::uint64_t count, sim::Nanos whole_time = {});

struct NamedCost {
    const char* name;
    const char* meaning;
    const sim::Cost* cost;
};
// The costs of schedule() and of system calls, and all other costs that are not zero. The result points
// into `costs`.
std::vector<NamedCost> named_costs(const sim::CostModel& costs);

}  // namespace ui
