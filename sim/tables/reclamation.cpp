// Three memory reclamation schemes on one allocator: how often their threads sleep, and the cause.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/human_text.h"
#include "sim/lab/simulation.h"
#include "sim/tables/tables.h"

namespace sim::tables {
namespace {

struct ReclamationScheme {
    const char* name;
    const char* scenario;
    double voluntary, involuntary;
};
constexpr ReclamationScheme kSchemes[] = {
    {"NIL", "reclamation-nil", 2'997, 3'284},
    {"HPBR", "reclamation-hpbr", 1'035, 3'186},
    {"EBR", "reclamation-ebr", 211'896, 3'169},
};

// States the mean length of the waits for a lock, and the most frequent pair of waker and waiter.
std::string lock_wait_cause(const Summary::Wait& wait) {
    const auto fewer = [](const Summary::WaitsEndedBy& a, const Summary::WaitsEndedBy& b) {
        return a.waits < b.waits;
    };
    const Summary::WaitsEndedBy& most =
        *std::max_element(wait.ended_by->begin(), wait.ended_by->end(), fewer);
    const double us = static_cast<double>(wait.waited.count()) / 1e3;
    return fmt::format("the lock {}, {:.2f} us each; most often {} ended a wait of {}", wait.name,
                       us / static_cast<double>(wait.switches), most.waker, most.waiter);
}

// Simulates all schemes. Appends to `causes` a line for each lock that the threads waited for.
std::vector<Cell> cells_of_schemes(const std::string& policy, std::string& causes) {
    std::vector<Cell> cells;
    for (const ReclamationScheme& scheme : kSchemes) {
        lab::Simulation s(scheme.scenario, {}, policy);
        s.run_to_end();
        const Summary summary = s.summary();
        // Counts only the benchmark's process: its threads and its main thread.
        double voluntary = 0, involuntary = 0;
        for (const Summary::TaskSummary& task : summary.tasks) {
            if (task.name.starts_with("kworker")) continue;
            voluntary += static_cast<double>(task.voluntary);
            involuntary += static_cast<double>(task.involuntary);
        }
        cells.push_back({scheme.name, "voluntary", scheme.voluntary, voluntary, "", true, "", Basis::tuned});
        cells.push_back(
            {scheme.name, "involuntary", scheme.involuntary, involuntary, "", true, "", Basis::tuned});
        for (const Summary::Wait& wait : summary.waits)
            if (wait.kind == "lock")
                causes +=
                    fmt::format("  {:<6}{:>9} of {:>9} for {}\n", scheme.name, group_digits(wait.switches),
                                group_digits(static_cast<std::uint64_t>(voluntary)), lock_wait_cause(wait));
    }
    return cells;
}

TableResult reproduce_reclamation(const TableOptions& options) {
    TableResult result;
    std::string causes;
    result.cells = cells_of_schemes({}, causes);
    result.holds = all_within_tolerance(result.cells);
    result.text =
        "reclamation: context switches of eight threads in 10 s, without reclamation (NIL), with hazard "
        "pointers (HPBR),\nand by epochs (EBR)\n\n" +
        cells_text(result.cells) + "\nVoluntary switches of the threads, by cause:\n" + causes +
        "\n"
        "Fitted: 4 (the time between a NIL thread's visits to the arena; the duration of a visit, 1 us, to "
        "EBR's value, which is\n"
        "proportional to this duration; the main thread's sleep; how often kernel threads preempt). Derived "
        "from the document's other\n"
        "columns: how often EBR visits the arena, and that HPBR hardly does. Assumed: 8 threads, 10 s, "
        "nodes of 64 bytes.\n"
        "Scored published values: 6.\n";
    if (options.hints)
        result.text +=
            "\n"
            "Look at: EBR. Hazard pointers free a few nodes at a time, and the allocator's cache of "
            "each thread absorbs them:\n"
            "  they are allocated again from there. The end of an epoch frees 150,000 at once, and a "
            "cache takes 200. The\n"
            "  others go to the arena, a hundred at a time: 146,000 visits per second, and a thread "
            "that finds another one\n"
            "  there sleeps. These threads have a CPU each and do no I/O; they sleep only because of "
            "this lock.\n"
            "Try next:\n"
            "  switchyard run reclamation-ebr --format json    (waits: which task ended which wait)\n"
            "  switchyard run reclamation-ebr --view pidstat-t\n";
    return result;
}

}  // namespace

Table reclamation_table() {
    return {.name = "reclamation",
            .summary = "memory reclamation on one allocator: voluntary and involuntary switches",
            .source = "a document on voluntary context switches in Interval-Based-Reclamation, its table",
            .reproduce = reproduce_reclamation,
            .fitted = 4,
            .not_left_out =
                "the fitted numbers belong to a workload, and the cells are not linear "
                "functions of these numbers",
            .cells_under = [](const std::string& policy) {
                std::string causes;
                return cells_of_schemes(policy, causes);
            }};
}

}  // namespace sim::tables
