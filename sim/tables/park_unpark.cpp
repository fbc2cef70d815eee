// Two Java threads that park and unpark each other: pinned to two CPUs of a server, on all of its CPUs, and
// pinned to one CPU.
#include <fmt/format.h>

#include <utility>

#include "sim/lab/simulation.h"
#include "sim/replay/vmstat_columns.h"
#include "sim/tables/tables.h"

namespace sim::tables {
namespace {

constexpr double kRunOfATurn = 200;  // ns that each thread computes between two parks

struct ParkingRun {
    double ns_per_park = 0, switches_per_park = 0;
    VmstatLine line;
    TimeParts time;
};

// Settings that allow both threads to run on all 32 CPUs, as in the document.
std::vector<std::string> settings_without_pinning() {
    std::string all;
    for (int cpu = 0; cpu < 32; ++cpu) all += (all.empty() ? "" : ",") + std::to_string(cpu);
    return {"/tasks/0/affinity=[" + all + "]", "/tasks/1/affinity=[" + all + "]"};
}

ParkingRun measure_parking(const std::string& scenario, const std::string& policy = {},
                           const std::vector<std::string>& settings = {}) {
    lab::Simulation s(scenario, settings, policy);
    const Sample begin = s.sample();
    s.run_to_end();
    const Summary summary = s.summary();
    // Counts parks in the same way as the measured program: one park per turn, whether the thread sleeps or
    // not.
    double turns = 0;
    for (const std::size_t i : {0u, 1u})
        turns += static_cast<double>(summary.tasks[i].user.count()) / kRunOfATurn;
    return {.ns_per_park = static_cast<double>(summary.simulated.count()) / turns,
            .switches_per_park = static_cast<double>(summary.switches.total()) / turns,
            .line = vmstat_line(begin, s.sample()),
            .time = s.time_parts()};
}

// The means of the published values of vmstat's column `in`, one value per second: with the program on all
// CPUs, with the program on one CPU, and on the idle machine.
constexpr double kInterruptsAllCpus = (2959 + 2862 + 2931 + 2835 + 2577 + 3114 + 2550) / 7.0,
                 kInterruptsOneCpu = (2658 + 3042 + 2844 + 2988 + 3096 + 2963) / 6.0,
                 kInterruptsIdle = (1550 + 1456 + 1802 + 1930 + 1766 + 1324 + 1560) / 7.0;

ParkingRun measure_idle_machine(const std::string& policy) {
    lab::Simulation s("idle-machine", {}, policy);
    const Sample begin = s.sample();
    s.run_to_end();
    return {.line = vmstat_line(begin, s.sample()), .time = s.time_parts()};
}

struct ParkingRuns {
    explicit ParkingRuns(const std::string& policy = {})
        : two_cpus(measure_parking("park-unpark", policy)),
          one_cpu(measure_parking("park-unpark-pinned", policy)),
          idle(measure_idle_machine(policy)),
          all_cpus(measure_parking("park-unpark", policy, settings_without_pinning())) {}

    // two_cpus: simulated with the threads pinned to two CPUs. one_cpu: pinned to one CPU. idle: without the
    // threads. all_cpus: not pinned.
    ParkingRun two_cpus, one_cpu, idle, all_cpus;
    ParkingRun two_cpus_24 = measure_parking("park-unpark", "linux-2.4.22"),
               one_cpu_24 = measure_parking("park-unpark-pinned", "linux-2.4.22");
};

// How a cell counts in the comparison with the published value. `note`: for example, why the cell is not
// scored. `basis`: why the simulated value agrees with the published value.
struct ParkingScoring {
    bool scored = true;
    const char* note = "";
    Basis basis = Basis::fitted;
};

class ParkingCells {
  public:
    explicit ParkingCells(const ParkingRuns& runs) : runs_(runs) {
        add_park_cells();
        add_monitor_cells();
        add_interrupt_cells();
        add_other_policy_cells();
        for (Cell& c : cells_) c.series = c.row.substr(0, c.row.find(", run "));
    }

    std::vector<Cell> cells() && { return std::move(cells_); }

  private:
    void add(const char* row, const char* column, double published, double simulated, const char* unit,
             const ParkingScoring& scoring = {}) {
        cells_.push_back(
            {row, column, published, simulated, unit, scoring.scored, scoring.note, scoring.basis});
    }
    static double switches(const ParkingRun& m) { return static_cast<double>(m.line.switches); }

    void add_park_cells() {
        add("two CPUs, pinned, run 1", "a park", 8177, runs_.two_cpus.ns_per_park, "ns");
        add("two CPUs, pinned, run 2", "a park", 8265, runs_.two_cpus.ns_per_park, "ns");
        add("two CPUs, pinned, run 3", "a park", 7738, runs_.two_cpus.ns_per_park, "ns");
        add("two CPUs, pinned, mean of 7 s", "switches (cs)", 234'984, switches(runs_.two_cpus), "1/s");
        const char* regimes =
            "seconds 1 to 4 and 6 to 7 differ by a third, in one process; the document does not explain the "
            "difference";
        add("two CPUs, pinned, seconds 1-4", "switches (cs)", 211'370, switches(runs_.two_cpus), "1/s",
            {false, regimes});
        add("two CPUs, pinned, seconds 6-7", "switches (cs)", 279'038, switches(runs_.two_cpus), "1/s",
            {false, regimes});
        const char* nothing_spreads =
            "the policy does not separate the threads: each is woken on the other's CPU and stays there";
        add("all CPUs, not pinned, mean of 3", "a park", (8177 + 8265 + 7738) / 3.0,
            runs_.all_cpus.ns_per_park, "ns", {false, nothing_spreads});
        add("all CPUs, not pinned, mean of 7 s", "switches (cs)", 234'984, switches(runs_.all_cpus), "1/s",
            {false, nothing_spreads});
        add("one CPU, run 1", "a park", 2634, runs_.one_cpu.ns_per_park, "ns");
        add("one CPU, run 2", "a park", 2593, runs_.one_cpu.ns_per_park, "ns");
        add("one CPU, run 3", "a park", 2634, runs_.one_cpu.ns_per_park, "ns");
        add("one CPU, mean of 6 s", "switches (cs)", 394'460, switches(runs_.one_cpu), "1/s");
        add("one CPU", "switches a park", 1.03, runs_.one_cpu.switches_per_park, "", {.basis = Basis::count});
        add("two CPUs, pinned, least", "switches a park", 1.73, runs_.two_cpus.switches_per_park, "",
            {false, "below 2: some parks find that their turn has already come; here each park sleeps",
             Basis::count});
        add("two CPUs, pinned, most", "switches a park", 2.16, runs_.two_cpus.switches_per_park, "",
            {false,
             "above 2: the library's own lock makes some threads sleep twice; here there is no such lock",
             Basis::count});
    }

    void add_monitor_cells() {
        const char* derived = "the number of CPUs, 32, is derived from this value";
        add("two CPUs, pinned", "idle (id)", 97, static_cast<double>(runs_.two_cpus.line.idle), "%",
            {false, derived, Basis::defined});
        add("one CPU", "idle (id)", 97, static_cast<double>(runs_.one_cpu.line.idle), "%",
            {false, derived, Basis::defined});
        const char* short_runs = "the assumed program time of a hand-off, 0.2 us, is too short";
        const auto part = [](Nanos time, const TimeParts& all) {
            return 100 * static_cast<double>(time.count()) / static_cast<double>(all.total().count());
        };
        const auto times = [&](const char* row, double user, double system, const ParkingRun& m) {
            add(row, "user time (us)", user, part(m.time.user, m.time), "%",
                {false, short_runs, Basis::assumed});
            add(row, "kernel time (sy)", system, part(m.time.overhead.total(), m.time), "%",
                {false, "vmstat rounds to whole percents", Basis::fitted});
        };
        times("two CPUs, pinned, mean of 7 s", (1 + 1 + 1 + 1 + 1 + 2 + 2) / 7.0,
              (2 + 2 + 2 + 2 + 2 + 1 + 1) / 7.0, runs_.two_cpus);
        times("one CPU, mean of 6 s", 1, (2 + 2 + 2 + 3 + 2 + 3) / 6.0, runs_.one_cpu);
    }

    void add_interrupt_cells() {
        const auto interrupts = [&](const char* row, double published, const ParkingRun& m) {
            add(row, "interrupts (in)", published, static_cast<double>(m.line.interrupts), "1/s",
                {false,
                 "dynticks and mwait are chosen to match this value; interrupts of cards and disks that "
                 "wake no task are missing",
                 Basis::tuned});
        };
        interrupts("two CPUs, pinned, mean of 7 s", kInterruptsAllCpus, runs_.two_cpus);
        interrupts("one CPU, mean of 6 s", kInterruptsOneCpu, runs_.one_cpu);
        interrupts("the idle machine, mean of 7 s", kInterruptsIdle, runs_.idle);
        const auto more = [&](const char* row, double published, const ParkingRun& m, const char* note) {
            add(row, "interrupts more than idle", published,
                static_cast<double>(m.line.interrupts - runs_.idle.line.interrupts), "1/s",
                {false, note, Basis::tuned});
        };
        more("two CPUs, pinned", kInterruptsAllCpus - kInterruptsIdle, runs_.two_cpus,
             "ticks of a busy CPU; during a hand-off both CPUs are idle here, and a tick at that moment "
             "counts for neither");
        more("one CPU", kInterruptsOneCpu - kInterruptsIdle, runs_.one_cpu,
             "ticks of the busy CPU; other interrupts caused by the program are missing, since the "
             "document does not state them");
        add("the idle machine, mean of 7 s", "switches (cs)", 2119, switches(runs_.idle), "1/s",
            {false, "the number of daemons is derived from this value", Basis::defined});
    }

    void add_other_policy_cells() {
        const char* policy = "for comparison: the nearest of the Linux policies";
        add("two CPUs, pinned, linux-2.4.22", "a park", kNotPublished, runs_.two_cpus_24.ns_per_park, "ns",
            {false, policy});
        add("one CPU, linux-2.4.22", "a park", kNotPublished, runs_.one_cpu_24.ns_per_park, "ns",
            {false, policy});
        add("one CPU, linux-2.4.22", "switches a park", kNotPublished, runs_.one_cpu_24.switches_per_park, "",
            {false, policy});
    }

    const ParkingRuns& runs_;
    std::vector<Cell> cells_;
};

TableResult reproduce_park_unpark(const TableOptions& options) {
    TableResult result;
    result.cells = ParkingCells(ParkingRuns{}).cells();
    result.holds = all_within_tolerance(result.cells);
    result.text =
        "park-unpark: two threads that hand a turn to each other by LockSupport.park() and unpark()\n\n" +
        cells_text(result.cells) +
        "\n"
        "The document ran the threads on all 32 CPUs and, in another test, on one. For the first test they "
        "are pinned to\n"
        "two CPUs here: their placement is an input, and the cost of a hand-off is fitted.\n"
        "Fitted: 2 costs, futex to the three runs on one CPU, reschedule_ipi to the three on all of them. "
        "Derived from\n"
        "the document: the number of CPUs, and the 1,060 wake-ups per second of other programs. Scored "
        "published\n"
        "values: 9.\n";
    if (options.hints)
        result.text +=
            "\n"
            "Look at: a hand-off between two CPUs takes three times as long as one on a single CPU, "
            "and needs two switches\n"
            "  (to idle on one, from idle on the other) instead of one. So more switches per park come "
            "with fewer\n"
            "  switches per second: cs alone does not show which of the two is slower.\n"
            "Try next:\n"
            "  switchyard run park-unpark-pinned --view vmstat\n"
            "  switchyard run park-unpark --set /machine/costs/idle_exit=10us\n"
            "  switchyard compare park-unpark-pinned --policy round-robin --policy linux-2.4.22\n";
    return result;
}

}  // namespace

Table park_unpark_table() {
    return {
        .name = "park-unpark",
        .summary = "two Java threads that park and unpark each other: pinned to two CPUs, and to one",
        .source = "a document on context switches by LockSupport.park(), with vmstat and taskset",
        .reproduce = reproduce_park_unpark,
        .fitted = 2,
        .cells_under = [](const std::string& policy) { return ParkingCells(ParkingRuns(policy)).cells(); }};
}

}  // namespace sim::tables
