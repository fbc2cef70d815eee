#include "sim/tables/yield_fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/tables/cache_fit.h"
#include "sim/tables/published.h"

namespace sim::tables {
namespace {

// The data cache of the Pentium MMX (scenarios/machines/pentium-mmx-200-nt.json), in bytes.
constexpr int kPentiumCache = 16 * 1024, kPentiumLine = 32;
constexpr double kPentiumLines = static_cast<double>(kPentiumCache) / kPentiumLine;
constexpr int kMostFootprint = 12 * 1024;

// The number of cache lines refilled per yield. When a switch returns to a context, all other contexts have
// run since and have displaced some of its lines.
double lines_refilled(const YieldCell& c, int footprint) {
    const double lines = static_cast<double>(footprint) / kPentiumLine;
    return c.measured.per_yield(c.measured.switched) *
           lines_lost(lines, lines * (c.contexts - 1), kPentiumLines);
}

std::vector<double> linux_work(const YieldCell& c) {
    const YieldCost& m = c.measured;
    return {1, m.per_yield(m.considered), m.per_yield(m.recalculated), m.per_yield(m.switched),
            m.per_yield(m.mm_loads)};
}

std::vector<double> nt_work(const YieldCell& c, int footprint) {
    return {1, c.measured.per_yield(c.measured.mm_loads), lines_refilled(c, footprint)};
}

std::vector<lab::Observation> nt_observations(std::span<const YieldCell> cells, int footprint) {
    std::vector<lab::Observation> observations;
    for (const YieldCell& c : cells) observations.push_back({nt_work(c, footprint), c.published});
    return observations;
}

std::vector<YieldCell> cells_to_fit(std::span<const YieldCell> cells, std::size_t i, LeftOutCells which) {
    std::vector<YieldCell> others;
    for (std::size_t j = 0; j < cells.size(); ++j)
        if (j != i && (which == LeftOutCells::cell || cells[j].contexts != cells[i].contexts))
            others.push_back(cells[j]);
    return others;
}

// Settings (POINTER=VALUE) that give a machine these costs, in us. `call` is the cost of schedule(). The cost
// of a system call is 0. Exception: if `call` is 0, a system call costs 1 ns, because a yield must take some
// time.
std::vector<std::string> cost_changes(double call, double considered, double recalculated, double switch_same,
                                      double other_mm) {
    const std::string costs = "/machine/costs/";
    return {cost_setting(costs + "syscall", call == 0 ? 0.001 : 0),
            cost_setting(costs + "schedule", call),
            cost_setting(costs + "considered", considered),
            cost_setting(costs + "recalculated", recalculated),
            cost_setting(costs + "switch_same_mm", switch_same),
            cost_setting(costs + "switch_other_mm", switch_same + other_mm)};
}

// The work of a cell, of Linux or NT, as a vector for one common fit: elements for five costs of Linux, two
// of NT and the refill of a cache line.
std::vector<double> joint_work(const YieldCell& c, int footprint) {
    std::vector<double> work(8, 0.0);
    if (c.is_nt) {
        const std::vector<double> nt = nt_work(c, footprint);
        work[5] = nt[0];
        work[6] = nt[1];
    } else {
        const std::vector<double> linux_part = linux_work(c);
        std::copy(linux_part.begin(), linux_part.end(), work.begin());
    }
    work[7] = lines_refilled(c, footprint);
    return work;
}

// A footprint of 0 means that Linux is modelled without a cache.
std::vector<lab::Observation> joint_observations(std::span<const YieldCell> cells, int linux_footprint,
                                                 int nt_footprint) {
    std::vector<lab::Observation> observations;
    for (const YieldCell& c : cells)
        observations.push_back({joint_work(c, c.is_nt ? nt_footprint : linux_footprint), c.published});
    return observations;
}

}  // namespace

std::vector<YieldCell> yield_cells(const std::vector<std::string>& linux_changes,
                                   const std::vector<std::string>& nt_changes) {
    std::vector<YieldCell> cells;
    for (const YieldRow& row : yield_rows()) {
        const bool nt = cells.size() >= kLinuxRows * kYieldContexts.size();
        for (std::size_t i = 0; i < kYieldContexts.size(); ++i)
            cells.push_back(
                {row.published[i], kYieldContexts[i], nt,
                 measure_yield_cost(row, kYieldContexts[i], kYields, nt ? nt_changes : linux_changes)});
    }
    return cells;
}

std::vector<double> linux_cross_validated_values(std::span<const YieldCell> cells, LeftOutCells which) {
    std::vector<double> says;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        std::vector<lab::Observation> others;
        for (const YieldCell& c : cells_to_fit(cells, i, which))
            others.push_back({linux_work(c), c.published});
        says.push_back(
            lab::predicted_value({linux_work(cells[i]), 0}, lab::nonnegative_least_squares(others)));
    }
    return says;
}

std::vector<double> nt_cross_validated_values(std::span<const YieldCell> cells, LeftOutCells which) {
    std::vector<double> says;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::vector<YieldCell> others = cells_to_fit(cells, i, which);
        const CacheFit fit =
            fit_cache_parameters(kMostFootprint, [&](int bytes) { return nt_observations(others, bytes); });
        says.push_back(lab::predicted_value({nt_work(cells[i], fit.footprint), 0}, fit.costs));
    }
    return says;
}

YieldFit fit_yields(std::span<const YieldCell> cells, SharedFittedNumbers shared) {
    CacheFit best;
    int linux_footprint = 0;
    const auto try_linux = [&](const std::function<int(int)>& footprint) {
        const CacheFit fit = fit_cache_parameters(
            kMostFootprint, [&](int bytes) { return joint_observations(cells, footprint(bytes), bytes); });
        if (best.footprint != 0 && fit.squares >= best.squares) return;
        best = fit;
        linux_footprint = footprint(fit.footprint);
    };
    if (shared == SharedFittedNumbers::everything) {
        try_linux([](int bytes) { return bytes; });
    } else {
        constexpr int kStep = 256;
        const int most = shared == SharedFittedNumbers::cost ? kMostFootprint : 0;
        for (int bytes = 0; bytes <= most; bytes += kStep) try_linux([bytes](int) { return bytes; });
    }
    const std::vector<double>& p = best.costs;
    YieldFit fit{.numbers = shared == SharedFittedNumbers::cost ? 10 : 9,
                 .linux_footprint = linux_footprint,
                 .nt_footprint = best.footprint,
                 .of_linux = {p[0], p[1], p[2], p[3], p[4]},
                 .nt_call = p[5],
                 .nt_other_mm = p[6],
                 .line = p[7],
                 .says = {}};
    for (const lab::Observation& o : joint_observations(cells, linux_footprint, best.footprint))
        fit.says.push_back(lab::predicted_value(o, p));
    return fit;
}

std::vector<std::string> LinuxCosts::machine_settings() const {
    return cost_changes(call, considered, recalculated, switch_same, other_mm);
}

LinuxCosts fit_costs_to_switching_yields(std::span<const YieldCell> cells) {
    std::vector<lab::Observation> observations;
    for (const YieldCell& c : cells) {
        std::vector<double> work = linux_work(c);
        work.erase(work.begin());
        observations.push_back({work, c.published});
    }
    const std::vector<double> p = lab::nonnegative_least_squares(observations);
    return {0, p[0], p[1], p[2], p[3]};
}

std::vector<std::string> YieldFit::machine_settings(bool nt) const {
    // On NT, the cost of a call includes the cost of the switch.
    std::vector<std::string> sets =
        nt ? cost_changes(nt_call, 0, 0, 0, nt_other_mm) : of_linux.machine_settings();
    const int footprint = nt ? nt_footprint : linux_footprint;
    if (footprint == 0) return sets;
    const std::string cache = "/machine/cache/";
    sets.push_back(fmt::format("{}size={}B", cache, kPentiumCache));
    sets.push_back(fmt::format("{}line={}B", cache, kPentiumLine));
    sets.push_back(fmt::format("{}footprint/size={}B", cache, footprint));
    sets.push_back(cost_setting(cache + "refill", line));
    return sets;
}

std::vector<Cell> fitted_cells(const YieldFit& fit, std::span<const YieldCell> cells, bool nt) {
    std::vector<Cell> list;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i].is_nt == nt)
            list.push_back({.row = "",
                            .column = "",
                            .published = cells[i].published,
                            .simulated = fit.says[i],
                            .unit = "us",
                            .noise = kNoise1997});
    return list;
}

}  // namespace sim::tables
