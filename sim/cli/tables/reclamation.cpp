// Three ways to give memory back, on one allocator: how often their threads sleep, and for what.
#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/output.h"
#include "sim/cli/tables.h"
#include "sim/cli/tables/simulation.h"

namespace sim::cli {
namespace {

struct Scheme {
    const char* name;
    const char* scenario;
    double voluntary, involuntary;
};
constexpr Scheme kSchemes[] = {
    {"NIL", "reclamation-nil", 2'997, 3'284},
    {"HPBR", "reclamation-hpbr", 1'035, 3'186},
    {"EBR", "reclamation-ebr", 211'896, 3'169},
};

TableResult reproduce(bool quiet) {
    TableResult result;
    std::string causes;
    for (const Scheme& scheme : kSchemes) {
        Simulation s(scheme.scenario);
        s.run_to_end();
        const auto summary = s.summary();
        // Those of the benchmark's process: its threads and its main thread.
        double voluntary = 0, involuntary = 0;
        for (const auto& task : summary["tasks"]) {
            if (task["name"].get<std::string>().starts_with("kworker")) continue;
            voluntary += task["voluntary"].get<double>();
            involuntary += task["involuntary"].get<double>();
        }
        result.cells.push_back({scheme.name, "voluntary", scheme.voluntary, voluntary, ""});
        result.cells.push_back({scheme.name, "involuntary", scheme.involuntary, involuntary, ""});
        for (const auto& wait : summary["waits"]) {
            if (wait["kind"] != "lock") continue;
            const auto& by = wait["ended_by"];
            const auto most = std::max_element(by.begin(), by.end(), [](const auto& a, const auto& b) {
                return a["waits"].template get<std::uint64_t>() < b["waits"].template get<std::uint64_t>();
            });
            causes += fmt::format(
                "  {:<6}{:>9} of {:>9} for the lock {}, {:.2f} us each; most often {} ended a wait of {}\n",
                scheme.name, grouped(wait["switches"].get<std::uint64_t>()),
                grouped(static_cast<std::uint64_t>(voluntary)), wait["name"].get<std::string>(),
                wait["waited_ns"].get<double>() / 1e3 / wait["switches"].get<double>(),
                (*most)["waker"].get<std::string>(), (*most)["waiter"].get<std::string>());
        }
    }
    result.holds = all_within(result.cells);
    result.text =
        "reclamation: context switches of eight threads in 10 s, without reclamation (NIL), with hazard "
        "pointers (HPBR),\nand by epochs (EBR)\n\n" +
        cells_text(result.cells) + "\nWhat the threads slept for:\n" + causes +
        "\nFitted: 3 (the time between a NIL thread's visits to the arena, the main thread's sleep, how "
        "often "
        "kernel threads\n"
        "preempt). Derived from the document's other columns: what EBR does, from operations a second and "
        "peak "
        "memory.\n"
        "Assumed: 8 threads, 10 s, nodes of 64 bytes, 1 us for a visit. Published figures that count: 6.\n";
    if (!quiet)
        result.text +=
            "\nLook at: EBR. Hazard pointers free a few nodes at a time, and the allocator's cache of each "
            "thread "
            "absorbs them;\n"
            "  an epoch's end frees a batch of 150,000, which goes to the arena a hundred at a time, one "
            "visit "
            "after the\n"
            "  other. Whenever two threads are at it at once they meet in the arena's lock, and one of them "
            "sleeps. No\n"
            "  parameter was fitted to that figure; but it is about proportional to the assumed 1 us.\n"
            "Try next:\n"
            "  switchyard run reclamation-ebr --format json    (waits: who ended whose)\n"
            "  switchyard run reclamation-ebr --view pidstat\n";
    return result;
}

}  // namespace

Table reclamation_table() {
    return {"reclamation", "memory reclamation on one allocator: voluntary and involuntary switches",
            "a document on voluntary context switches in Interval-Based-Reclamation, its table", false,
            reproduce};
}

}  // namespace sim::cli
