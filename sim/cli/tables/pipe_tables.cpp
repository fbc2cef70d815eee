// Tables of 2019 that measure a switch by handing something on through pipes: a token between two processes,
// a signal round a ring of threads, and lmbench's lat_ctx.
#include <fmt/format.h>

#include "sim/cli/simulation.h"
#include "sim/cli/tables.h"

namespace sim::cli {
namespace {

// What a pass through a pipe took, on average, in us.
struct Pass {
    double time = 0, switches = 0;
    double system = 0, choosing = 0, switching = 0, address_space = 0, refill = 0, user = 0;
};

Pass measure(const char* name, const std::vector<std::string>& sets = {}) {
    Simulation run(name, sets);
    run.run_to_end();
    const Statistics& s = run.statistics();
    const Globals& g = run.machine().globals();
    // Each pass writes once and reads once.
    const double passes = static_cast<double>(s.work[static_cast<std::size_t>(KernelWork::pipe)]) / 2;
    const auto each = [&](Nanos part) { return static_cast<double>(part.count()) / 1e3 / passes; };
    const TimeParts parts = run.time();
    const Overhead& o = parts.overhead;
    return {.time = each(g.now),
            .switches = static_cast<double>(g.switches) / passes,
            .system = each(o.system),
            .choosing = each(o.select + o.recalc),
            .switching = each(o.context_switch),
            .address_space = each(o.address_space),
            .refill = each(o.cache_refill),
            .user = each(parts.user)};
}

std::string bill(const Pass& pass) {
    return fmt::format(
        "Of a pass's {:.3f} us: system calls, pipe and waking up {:.3f}, choosing {:.3f}, switching {:.3f}, "
        "address "
        "space {:.3f},\n"
        "  cache refill {:.3f}.\n",
        pass.time, pass.system, pass.choosing, pass.switching, pass.address_space, pass.refill);
}

constexpr const char* kKernel =
    "The kernel was 2.6.32; the nearest policy that there is, linux-2.4.22, stands for it.\n";

TableResult token_pipe(bool quiet) {
    TableResult result;
    const Pass pass = measure("token-pipe");
    result.cells = {{"two processes", "us each switch", 3.5, pass.time / pass.switches, "us", true, "",
                     Basis::predicted}};
    result.holds = all_within(result.cells);
    result.text = "token-pipe: two processes hand a token to each other through pipes\n\n" +
                  cells_text(result.cells) + "\n" + bill(pass) +
                  "No parameter is fitted here: the machine's five are fitted to the "
                  "tables\n"
                  "thread-ring and lat-ctx. Assumed: both processes stay on one CPU. Published figures that "
                  "count: 1.\n" +
                  kKernel;
    if (!quiet)
        result.text +=
            "\nLook at: the switch is most of it; the two system calls of a pass are a seventh.\n"
            "Try next:\n"
            "  switchyard run token-pipe --set /tasks/0/mm=both --set /tasks/1/mm=both\n"
            "  switchyard reproduce thread-ring\n";
    return result;
}

TableResult thread_ring(bool quiet) {
    TableResult result;
    const Pass pipe = measure("pipe-alone");
    const Pass pass = measure("thread-ring");
    result.cells = {
        {"a pipe, alone", "us each pass", 0.508250, pipe.time, "us"},
        {"20 threads", "us each pass", 4.363495, pass.time, "us", false,
         "the switch below and the pipe above"},
        {"20 threads, the pipe subtracted", "us each switch", 4.363495 - 0.508250, pass.time - pipe.time,
         "us"},
    };
    result.holds = all_within(result.cells);
    result.text = "thread-ring: 20 threads pass a signal on through pipes\n\n" + cells_text(result.cells) +
                  "\n" + bill(pass) +
                  "Fitted: 2 (the price of a pipe, and switch_same_mm). Assumed: all threads stay on one "
                  "CPU. Published "
                  "figures\n"
                  "that count: 2.\n" +
                  kKernel;
    if (!quiet)
        result.text +=
            "\nLook at: no address space is loaded, and yet a switch takes longer than between the two "
            "processes of\n"
            "  token-pipe: nineteen others have been in the cache since a thread's last turn.\n"
            "Try next:\n"
            "  switchyard run thread-ring --set /machine/cache/footprint/size=0KiB\n"
            "  switchyard reproduce lat-ctx\n";
    return result;
}

TableResult lat_ctx(bool quiet) {
    struct Column {
        int processes, kib;
        double published;  // us
    };
    constexpr Column kColumns[] = {{2, 0, 2.78},  {2, 16, 2.78},  {2, 64, 2.70}, {8, 16, 4.38},
                                   {8, 64, 4.04}, {16, 16, 4.75}, {16, 64, 5.48}};
    constexpr int kMost = 16;  // processes of the scenario
    TableResult result;
    std::string work;
    for (const Column& column : kColumns) {
        // Summing takes 1 us for 16 KiB, in the ring and alone.
        const std::string sum = fmt::format("{}ns", column.kib * 1000 / 16);
        const std::string array = fmt::format("{}KiB", column.kib);
        std::vector<std::string> sets;
        for (int i = 0; i < kMost; ++i) {
            const std::string loop = fmt::format("/tasks/{}/program/{}/steps/", i, i == 0 ? 1 : 0);
            sets.push_back(fmt::format("/tasks/{}/working_set={}", i, array));
            sets.push_back(fmt::format("{}1/run={}", loop, sum));
            if (i >= column.processes) sets.push_back(fmt::format("/tasks/{}/count=0", i));
            if (i == column.processes - 1) sets.push_back(fmt::format("{}2/pipe_write=p0", loop));
        }
        const Pass ring = measure("lat-ctx", sets);
        const Pass alone = measure(
            "pipe-alone", std::vector<std::string>{fmt::format("/tasks/0/working_set={}", array),
                                                   fmt::format("/tasks/0/program/0/steps/1/run={}", sum)});
        result.cells.push_back({fmt::format("{}p/{}K", column.processes, column.kib), "us each switch",
                                column.published, ring.time - alone.time, "us"});
        work += fmt::format("  {:<8}{:>10.2f}{:>10.2f}{:>12.2f}{:>12.2f}{:>12.2f}\n", result.cells.back().row,
                            ring.time, alone.time, ring.switching, ring.address_space, ring.refill);
    }
    result.holds = all_within(result.cells);
    result.text =
        "lat-ctx: lmbench's row of context switches\n\n" + cells_text(result.cells) +
        fmt::format(
            "\nrms {:.2f} us, worst {:.2f} us. In us, of each pass:\n\n  "
            "{:<8}{:>10}{:>10}{:>12}{:>12}{:>12}\n",
            rms(result.cells), worst(result.cells), "", "ring", "alone", "switching", "addresses", "refill") +
        work +
        "\nA switch is a pass round the ring less a pass of one process alone, as lat_ctx does it.\n"
        "Fitted: 3 (switch_other_mm, the footprint, a line's refill). Assumed: the size of the cache, which "
        "was not "
        "published;\n"
        "all processes stay on one CPU. Published figures that count: 7.\n" +
        kKernel;
    if (!quiet)
        result.text +=
            "\nLook at: the number of processes, not the size of their arrays, makes a switch dear. So the "
            "fit gives every\n"
            "  process a footprint of its own in the cache, and lets the arrays be fetched for nothing. What "
            "it\n"
            "  cannot have: with 2 and with 8 processes, 64 KiB measured cheaper than 16.\n"
            "Try next:\n"
            "  switchyard run lat-ctx --set /machine/cache/size=512KiB\n"
            "  switchyard reproduce token-pipe\n";
    return result;
}

}  // namespace

Table token_pipe_table() {
    return {"token-pipe", "a token between two processes: the time of a switch, pipes included",
            "the 2019 document on context switches, the first experiment: two processes and a token",
            token_pipe};
}

Table thread_ring_table() {
    return {"thread-ring", "a signal round a ring of 20 threads: a pipe alone, and the time of a switch",
            "the 2019 document on context switches, the last experiment: 20 threads and pipes", thread_ring,
            2};
}

Table lat_ctx_table() {
    return {"lat-ctx", "lmbench's context switches, 2 to 16 processes with 0 to 64 KiB: 7 cells",
            "the 2019 document on context switches, lmbench's row", lat_ctx, 3};
}

}  // namespace sim::cli
