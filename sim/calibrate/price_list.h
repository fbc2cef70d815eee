// The prices of a calibrated machine, each with what it rests on, and the machine file that they make.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "sim/calibrate/samples.h"

namespace sim::calibrate {

enum class PriceBasis { measured, fitted, assumed };
const char* to_string(PriceBasis basis);

// What the fit has a number for. Each is ns, unless it says otherwise.
enum class PriceOf {
    syscall,
    schedule,
    comparison,   // one task considered, and one step to a place in the tree
    switch_same,  // within one address space
    other_mm,     // another address space, on top of that
    wake_up,
    pipe,
    futex,
    fork_process,
    copied_page,
    fork_thread,
    tlb_entry,
    line,    // of the footprint
    stream,  // a line of the working set
};
inline constexpr std::size_t kPrices = 14;
// As in machine files; of `comparison` and `other_mm`, what they are there.
const char* to_string(PriceOf what);

struct Known {
    double ns = 0;
    PriceBasis basis = PriceBasis::assumed;
    std::string why;  // how it was measured, fitted or assumed
};

struct PriceList {
    std::vector<Known> prices = std::vector<Known>(kPrices);
    std::uint32_t cache = 0, footprint = 0;  // bytes; 0: no cache is modelled

    Known& of(PriceOf what) { return prices[static_cast<std::size_t>(what)]; }
    const Known& of(PriceOf what) const { return prices[static_cast<std::size_t>(what)]; }
};

// What every task is assumed to need of TLB and cache, and entries that a TLB is assumed to have. What cells
// show is their product with the price of an entry or a line. The pages are tuned: the least worst cell
// (docs/calibrate.md).
inline constexpr std::uint32_t kTlbPages = 20, kTlbEntries = 1536, kFootprint = 4 * 1024;

// A machine file of them; what was not measured is that of another machine, its base.
nlohmann::ordered_json machine_of(const PriceList& list, const Facts& facts);
std::string machine_text(const PriceList& list, const Facts& facts);

// The policy that stands for this kernel: EEVDF since 6.6, where a yield has meant something else since
// 6.18.2; before, CFS.
std::string policy_for(const std::string& kernel);

}  // namespace sim::calibrate
