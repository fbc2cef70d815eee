#include "sim/calibrate/cost_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/scenario/json_text.h"

namespace sim::calibrate {
namespace {

using nlohmann::ordered_json;

ordered_json cost(double ns, CostBasis basis, const std::string& why) {
    return {{"time", fmt::format("{}ns", std::llround(std::max(ns, 0.0)))},
            {"source", fmt::format("{}: {}", to_string(basis), why)}};
}

ordered_json cost(const CostEntry& entry) { return cost(entry.ns, entry.basis, entry.why); }

// The three numbers of a kernel version: 6, 18 and 2 for "6.18.2". A missing number is 0.
std::array<int, 3> parse_kernel_version(const std::string& kernel) {
    std::array<int, 3> version{};
    const char* at = kernel.data();
    const char* const end = at + kernel.size();
    for (int& number : version) {
        const auto [next, error] = std::from_chars(at, end, number);
        if (error != std::errc{} || next == end) break;
        at = next + 1;
    }
    return version;
}

}  // namespace

const char* to_string(CostBasis basis) {
    switch (basis) {
        case CostBasis::measured:
            return "measured";
        case CostBasis::fitted:
            return "fitted";
        case CostBasis::assumed:
            return "assumed";
    }
    return "?";
}

const char* to_string(CalibratedCost cost_kind) {
    switch (cost_kind) {
        case CalibratedCost::syscall:
            return "syscall";
        case CalibratedCost::schedule:
            return "schedule";
        case CalibratedCost::comparison:
            return "considered, queue_step";
        case CalibratedCost::switch_same:
            return "switch_same_mm";
        case CalibratedCost::other_mm:
            return "switch_other_mm - switch_same_mm";
        case CalibratedCost::wake_up:
            return "wake_up";
        case CalibratedCost::pipe:
            return "pipe";
        case CalibratedCost::futex:
            return "futex";
        case CalibratedCost::fork_process:
            return "fork_process";
        case CalibratedCost::copied_page:
            return "copied_page";
        case CalibratedCost::fork_thread:
            return "fork_thread";
        case CalibratedCost::tlb_entry:
            return "refill of a TLB entry";
        case CalibratedCost::line:
            return "refill of a cache line";
        case CalibratedCost::stream:
            return "prefetched refill of a line";
    }
    return "?";
}

ordered_json machine_json(const CostList& list, const MachineFacts& facts) {
    const auto of = [&](CalibratedCost what) { return cost(list.entry(what)); };
    const CostEntry &same = list.entry(CalibratedCost::switch_same),
                    &other = list.entry(CalibratedCost::other_mm);
    ordered_json costs;
    costs["syscall"] = of(CalibratedCost::syscall);
    costs["schedule"] = of(CalibratedCost::schedule);
    costs["considered"] = of(CalibratedCost::comparison);
    costs["recalculated"] = cost(list.entry(CalibratedCost::comparison).ns, CostBasis::assumed,
                                 "equal to the cost 'considered'; current kernels do not recalculate "
                                 "counters");
    costs["queue_step"] = of(CalibratedCost::comparison);
    costs["switch_same_mm"] = cost(same);
    // `same` is rounded before the addition, because switch_same_mm is rounded too. Otherwise
    // switch_other_mm could be less than switch_same_mm.
    costs["switch_other_mm"] = cost(std::round(same.ns) + std::max(other.ns, 0.0), other.basis, other.why);
    costs["wake_up"] = of(CalibratedCost::wake_up);
    costs["pipe"] = of(CalibratedCost::pipe);
    costs["futex"] = of(CalibratedCost::futex);
    costs["fork_process"] = of(CalibratedCost::fork_process);
    costs["copied_page"] = of(CalibratedCost::copied_page);
    costs["fork_thread"] = of(CalibratedCost::fork_thread);
    costs["exit"] =
        cost(0, CostBasis::assumed,
             "0, because fork_process and fork_thread were measured with exit and include its cost");
    ordered_json machine;
    machine["base"] = "server-2020";
    machine["system"] = "linux";
    machine["hz"] = facts.hz;
    machine["costs"] = std::move(costs);
    const bool x86 = facts.architecture == "x86_64";
    machine["tlb"] = {
        {"entries", kTlbEntries},
        {"tagged", true},
        {"asids", x86 ? 6 : 0},
        {"source", x86 ? "assumed: 1,536 entries; 6 ASIDs as in Linux (TLB_NR_DYN_ASIDS in "
                         "arch/x86/include/asm/tlbflush.h)"
                       : "assumed: 1,536 entries, and enough tags for all address spaces"},
        {"footprint",
         {{"pages", kTlbPages},
          {"source",
           "tuned on the data of calibrate: only the product of the number of pages and the cost of a TLB "
           "entry matters"}}},
        {"refill", of(CalibratedCost::tlb_entry)}};
    if (list.cache == 0) {
        machine["cache"] = {{"size", "0B"}};
    } else {
        const std::uint32_t line = facts.line == 0 ? 64 : facts.line;
        machine["cache"] = {
            {"size", fmt::format("{}B", list.cache)},
            {"line", fmt::format("{}B", line)},
            {"source", list.cache == facts.l2 ? "the second-level cache, as reported by the system"
                                              : "the first-level cache, as reported by the system"},
            {"footprint",
             {{"size", fmt::format("{}B", list.footprint)},
              {"source", "assumed: mainly the product of this size and the cost of a cache line matters"}}},
            {"refill", of(CalibratedCost::line)},
            {"prefetched_refill", of(CalibratedCost::stream)}};
    }
    return machine;
}

std::string machine_file_text(const CostList& list, const MachineFacts& facts) {
    ordered_json file{{"format", "switchyard-machine/1"},
                      {"title", fmt::format("{} under Linux {}, measured by switchyard calibrate on one CPU",
                                            facts.processor, facts.kernel)}};
    file.update(machine_json(list, facts));
    return json_text(file, 4) + "\n";
}

std::string policy_for_kernel(const std::string& kernel) {
    const std::array<int, 3> version = parse_kernel_version(kernel);
    if (version < std::array{6, 6, 0}) return "linux-2.6.32";
    return version >= std::array{6, 18, 2} ? "linux-6.6:group_sched=yes,yield=forfeit"
                                           : "linux-6.6:group_sched=yes";
}

}  // namespace sim::calibrate
