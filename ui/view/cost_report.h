// Where the time of a part of a run went: what COSTS shows.
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
    sim::Activity activity;  // whose colour and pattern it has
    sim::Nanos (*of)(const sim::TimeParts&);
};
inline constexpr std::size_t kCostParts = 10;
// In the order of one call of the kernel; user first, idle last.
const std::array<CostPart, kCostParts>& cost_parts();

struct CostReport {
    sim::TimeParts parts;
    std::uint64_t switches = 0, yields = 0;

    double share(std::size_t part) const;
    double share(sim::Nanos time) const;
    sim::Nanos kernel() const { return parts.overhead.total(); }
    // Of all the time together, as `run` counts the cost of a yield; 0 when there was none.
    sim::Nanos per_yield() const;
    // Of the kernel's time; 0 when there was none.
    sim::Nanos kernel_per_switch() const;
};

// The costs of a part of a run; none while they are being worked out, and without a selection.
std::optional<CostReport> costs_of(const Run& run, CostScope scope, const ViewState& view);

// "until 12.345 ms", "selection, 2.00 ms", "whole run, 2.00 s"; says how far it is simulated.
std::string scope_title(const Run& run, CostScope scope, const ViewState& view);

// One time of n: 27.3 us rather than 27 us, for what is a fraction of a nanosecond, too. "-" when n is 0.
std::string each(sim::Nanos time, std::uint64_t n);

struct NamedPrice {
    const char* name;
    const char* meaning;
    const sim::Price* price;
};
// Those of schedule() and system calls, and of what else the machine has a price for. `costs` must outlive
// them.
std::vector<NamedPrice> prices(const sim::CostModel& costs);

}  // namespace ui
