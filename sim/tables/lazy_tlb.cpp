// Exact numbers of TLB flushes caused by a kernel thread, with and without lazy TLB switching.
#include <algorithm>
#include <cstdint>

#include "sim/lab/simulation.h"
#include "sim/tables/tables.h"

namespace sim::tables {
namespace {

// Names of two tasks in the scenario. The column headings of the table call these tasks A and B.
const std::string kA = "client", kB = "server";

// A setting with which the kernel thread wakes B instead of A.
constexpr const char* kThenB =
    R"(/tasks/1/program=[{"wait": "work"}, {"run": "100us"}, {"wake": "request"}])";

// The number of TLB flushes while CPU 0 runs the tasks named in `task_sequence` one after another; -1 if CPU
// 0 never runs these tasks in this order.
double count_tlb_flushes(const std::string& policy, const std::vector<std::string>& settings,
                         const std::vector<std::string>& task_sequence) {
    lab::Simulation s("lazy-tlb", settings, policy);
    const auto running = [&] {
        const TaskId p = s.machine().cpu(0).current;
        return s.machine().is_idle_task(p) ? "idle" : s.scenario().task_name(s.machine(), p);
    };
    std::vector<std::string> seen{running()};
    std::vector<std::uint64_t> counts{0};
    while (s.run_to_decision()) {
        seen.push_back(running());
        counts.push_back(s.summary().tlb.flushes);
    }
    for (std::size_t i = 0; i + task_sequence.size() <= seen.size(); ++i)
        if (std::equal(task_sequence.begin(), task_sequence.end(),
                       seen.begin() + static_cast<std::ptrdiff_t>(i)))
            return static_cast<double>(counts[i + task_sequence.size() - 1] - counts[i]);
    return -1;  // the tasks never ran in this order
}

struct LazyTlbRow {
    const char* label;
    const char* policy;
    const char* option;  // value of --set; empty: none
    bool lazy, real;     // lazy: lazy TLB is on; real: a kernel with this setting existed
};
constexpr LazyTlbRow kLazyTlbRows[] = {
    {"linux-2.0", "linux-2.0", "", false, true},
    {"linux-2.2", "linux-2.2", "", false, true},
    {"linux-2.4.22", "linux-2.4.22", "", true, true},
    {"linux-2.4.22, lazy_tlb off", "linux-2.4.22", "/machine/lazy_tlb=false", false, false},
    {"linux-2.0, lazy_tlb on", "linux-2.0", "/machine/lazy_tlb=true", true, false},
};

TableResult reproduce_lazy_tlb(const TableOptions& options) {
    TableResult result;
    for (const LazyTlbRow& row : kLazyTlbRows) {
        std::vector<std::string> sets;
        if (*row.option != '\0') sets.emplace_back(row.option);
        std::vector<std::string> then_b = sets;
        then_b.emplace_back(kThenB);
        const auto add = [&](const char* column, double published, double simulated) {
            result.cells.push_back({row.label, column, published, simulated, "flushes", false,
                                    row.real ? "from the kernel's source: there is no measurement"
                                             : "no such kernel exists: the option lazy_tlb simulates it",
                                    Basis::defined});
            if (row.real) result.holds = result.holds && simulated == published;
        };
        add("A > kthread > A", row.lazy ? 0 : 2, count_tlb_flushes(row.policy, sets, {kA, "kthread", kA}));
        add("A > B", 1, count_tlb_flushes(row.policy, sets, {kA, kB}));
        add("A > kthread > B", row.lazy ? 1 : 2, count_tlb_flushes(row.policy, then_b, {kA, "kthread", kB}));
    }
    result.text = "lazy-tlb: exact number of TLB flushes on the way from one task to another\n\n" +
                  cells_text(result.cells) +
                  "\n"
                  "No parameter is fitted, and there is no measurement: the column \"published\" is what "
                  "schedule() and\n"
                  "switch_mm() of each kernel do according to their source.\n";
    if (options.hints)
        result.text +=
            "\n"
            "Look at: A > kthread > A. Linux 2.0 and 2.2 load the kernel's own page tables for the kernel "
            "thread, and\n"
            "  A's again after it. 2.4 lets the kernel thread borrow A's page tables (active_mm), which are "
            "still loaded when A returns.\n"
            "Try next:\n"
            "  switchyard compare lazy-tlb --policy linux-2.0 --policy linux-2.4.22\n"
            "  switchyard run lazy-tlb --policy linux-2.0 --set /machine/lazy_tlb=true\n";
    return result;
}

}  // namespace

Table lazy_tlb_table() {
    return {"lazy-tlb", "TLB flushes for running a kernel thread, with and without lazy TLB: exact counts",
            "the 2.6 document on context_switch() and enter_lazy_tlb(); kernel/sched.c of 2.0, 2.2, 2.4.22",
            reproduce_lazy_tlb};
}

}  // namespace sim::tables
