#include "sim/tables/pipe_pass.h"

#include <fmt/format.h>

#include "sim/lab/simulation.h"

namespace sim::tables {

PipePassCost measure_pipe_pass(const char* scenario, const std::vector<std::string>& settings,
                               const std::string& policy) {
    lab::Simulation run(scenario, settings, policy);
    run.run_to_end();
    const Statistics& s = run.statistics();
    const Globals& g = run.machine().globals();
    // Each pass writes once and reads once.
    const double passes = static_cast<double>(s.work[static_cast<std::size_t>(KernelWork::pipe)]) / 2;
    const auto each = [&](Nanos part) { return static_cast<double>(part.count()) / 1e3 / passes; };
    const TimeParts parts = run.time_parts();
    const Overhead& o = parts.overhead;
    return {.time = each(g.now),
            .switches = static_cast<double>(g.switches) / passes,
            .system = each(o.system),
            .search = each(o.select + o.recalculation),
            .switching = each(o.context_switch),
            .address_space = each(o.address_space),
            .refill = each(o.cache_refill),
            .user = each(parts.user)};
}

LatCtxRun measure_lat_ctx(const LatCtxColumn& column, const std::vector<std::string>& settings,
                          const std::string& policy) {
    constexpr int kMost = 16;  // number of processes in the scenario
    // In each pass, a process sums up its array, both in the ring and in the run of a single process. Summing
    // up 16 KiB takes 1 us.
    const std::string sum = fmt::format("{}ns", column.kib * 1000 / 16);
    const std::string array = fmt::format("{}KiB", column.kib);
    std::vector<std::string> ring = settings, alone = settings;
    for (int i = 0; i < kMost; ++i) {
        const std::string loop = fmt::format("/tasks/{}/program/{}/steps/", i, i == 0 ? 1 : 0);
        ring.push_back(fmt::format("/tasks/{}/working_set={}", i, array));
        ring.push_back(fmt::format("{}1/run={}", loop, sum));
        if (i >= column.processes) ring.push_back(fmt::format("/tasks/{}/count=0", i));
        if (i == column.processes - 1) ring.push_back(fmt::format("{}2/pipe_write=p0", loop));
    }
    alone.push_back(fmt::format("/tasks/0/working_set={}", array));
    alone.push_back(fmt::format("/tasks/0/program/0/steps/1/run={}", sum));
    return {measure_pipe_pass("lat-ctx", ring, policy), measure_pipe_pass("pipe-alone", alone, policy)};
}

}  // namespace sim::tables
