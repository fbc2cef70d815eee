// The costs of a calibrated machine, with their provenance, as a machine file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "sim/calibrate/samples.h"

namespace sim::calibrate {

enum class CostBasis { measured, fitted, assumed };
const char* to_string(CostBasis basis);

// The costs to determine, in ns.
enum class CalibratedCost {
    syscall,
    schedule,
    comparison,   // considering a task, or one step in the tree of an ordered run queue
    switch_same,  // context switch within an address space
    other_mm,     // additional cost of a switch to another address space
    wake_up,
    pipe,
    futex,
    fork_process,
    copied_page,
    fork_thread,
    tlb_entry,
    line,    // fetching a cache line of the memory that every task needs (kernel stack, code)
    stream,  // fetching a cache line of the memory that the task's own program uses (working set)
};
inline constexpr std::size_t kCosts = 14;
// The cost's key in machine files; for `comparison` and `other_mm`, a description.
const char* to_string(CalibratedCost cost_kind);

struct CostEntry {
    double ns = 0;
    CostBasis basis = CostBasis::assumed;
    std::string why;  // how the cost was measured or fitted, or why it was assumed
};

struct CostList {
    std::vector<CostEntry> costs = std::vector<CostEntry>(kCosts);
    std::uint32_t cache = 0;      // size of the cache in bytes; 0: no cache is modelled
    std::uint32_t footprint = 0;  // cache that each task needs besides its working set, in bytes

    CostEntry& entry(CalibratedCost cost_kind) { return costs[static_cast<std::size_t>(cost_kind)]; }
    const CostEntry& entry(CalibratedCost cost_kind) const {
        return costs[static_cast<std::size_t>(cost_kind)];
    }
};

// Values that are not measured: the pages that each task needs, the number of TLB entries, and the bytes of
// cache that each task needs. Measurements determine only two products: pages times the cost of a TLB entry,
// and lines times the cost of a line. The number of pages was chosen so that the largest error of a benchmark
// is as small as possible (docs/how-to/calibrate.md).
inline constexpr std::uint32_t kTlbPages = 20, kTlbEntries = 1536, kFootprint = 4 * 1024;

// Returns a machine file with the costs of `list`. The file names another machine as its base, from which all
// other costs come.
nlohmann::ordered_json machine_json(const CostList& list, const MachineFacts& facts);
std::string machine_file_text(const CostList& list, const MachineFacts& facts);

// The policy that represents this kernel: CFS before 6.6; EEVDF since 6.6; EEVDF with a changed sched_yield()
// since 6.18.2.
std::string policy_for_kernel(const std::string& kernel);

}  // namespace sim::calibrate
