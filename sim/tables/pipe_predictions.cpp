// Two predictions of times of context switches, from other measurements of the same machine in the same
// document. The measurements: one process alone writes to a pipe and reads from the pipe; two processes pass
// a token through pipes; 20 threads pass a token in a ring of pipes; the benchmark lmbench. The first
// prediction computes the times of lmbench from the other three measurements. The second prediction computes
// the times of the process alone and of the ring from the two processes and lmbench.
#include <fmt/format.h>

#include "sim/scenario/scenario_json.h"
#include "sim/tables/cache_fit.h"
#include "sim/tables/pipe_pass.h"
#include "sim/tables/predictions.h"
#include "sim/tables/published.h"

namespace sim::tables {
namespace {

// The machine file's costs. A prediction may use the costs that are not fitted to the predicted table.
CostModel machine_costs() { return load_scenario("thread-ring").machine.costs; }

double in_us(Nanos time) { return static_cast<double>(time.count()) / 1e3; }

std::string pipe_cost_setting(double pass) {
    return cost_setting("/machine/costs/pipe", pass / 2 - kSyscall2019);
}

// Sets the same cost for a switch within an address space and a switch to another address space, because the
// document finds hardly any difference between threads and processes.
std::vector<std::string> switch_cost_settings(double us) {
    return {cost_setting("/machine/costs/switch_same_mm", us),
            cost_setting("/machine/costs/switch_other_mm", us)};
}

struct LatCtxGuess {
    double each_switch = 0, line = 0;  // us
    std::vector<Cell> cells;
};

// Predicts lmbench's row for a cache of `cache` bytes. The time of the token includes a switch and the
// loading of the lines that one other process displaces. The time of the ring includes the same switch and
// the loading of the lines that 19 threads displace.
LatCtxGuess guess_lat_ctx(int cache) {
    constexpr int kLine = 64, kFootprint = 16 * 1024;
    const double lines = static_cast<double>(kFootprint) / kLine, places = static_cast<double>(cache) / kLine;
    const double after_one = lines_lost(lines, lines, places),
                 after_many = lines_lost(lines, 19 * lines, places);
    LatCtxGuess guess;
    guess.line = (kThreadRing - kTokenPipe) / (after_many - after_one);
    const CostModel costs = machine_costs();
    const double wake_and_schedule =
        in_us(costs.cost_of(KernelWork::wake_up) + costs.schedule.time);  // assumed
    guess.each_switch = kTokenPipe - kPipeAlone - wake_and_schedule - guess.line * after_one;
    std::vector<std::string> changes = switch_cost_settings(guess.each_switch);
    changes.push_back(pipe_cost_setting(kPipeAlone));
    changes.push_back(fmt::format("/machine/cache/size={}B", cache));
    changes.push_back(fmt::format("/machine/cache/footprint/size={}B", kFootprint));
    changes.push_back(cost_setting("/machine/cache/refill", guess.line));
    for (const LatCtxColumn& column : kLatCtx)
        guess.cells.push_back({.row = fmt::format("{}p/{}K", column.processes, column.kib),
                               .column = "us each switch",
                               .published = column.published,
                               .simulated = measure_lat_ctx(column, changes).time_per_switch(),
                               .unit = "us",
                               .basis = Basis::predicted});
    return guess;
}

}  // namespace

Prediction predict_lat_ctx_from_pipe_and_ring() {
    LatCtxGuess guess = guess_lat_ctx(256 * 1024);
    const LatCtxGuess large = guess_lat_ctx(1024 * 1024);
    return {fmt::format(
                "The pipe alone and the token of two processes give {:.3f} us for a switch, the ring of 20 "
                "threads {:.1f} ns for a\n"
                "  cache line. Cited: threads and processes hardly differ (the document). Assumed: each "
                "uses 16 KiB of the cache (its kernel\n"
                "  stack, and as much again), and the cache has 256 KiB. The machine file has 1 MiB, which "
                "was chosen because it fits this row; with 1 MiB the\n"
                "  rms would be {:.2f} us.",
                guess.each_switch, 1000 * guess.line, rms_difference(large.cells)),
            std::move(guess.cells),
            {{"the token's time minus the pipe's time, for every cell",
              std::vector<double>(kLatCtx.size(), kTokenPipe - kPipeAlone)}}};
}

Prediction predict_ring_from_token_and_lat_ctx() {
    // lmbench's first cell has two processes and no array to sum up. So the time of the token minus the time
    // of lmbench's switch is the time of a pass through the pipe.
    const double pipe = kTokenPipe - kLatCtx[0].published;
    const double switch_cost = in_us(machine_costs().switch_other_mm.time);  // fitted to lmbench's row alone
    std::vector<std::string> changes = switch_cost_settings(switch_cost);
    changes.push_back(pipe_cost_setting(pipe));
    const PipePassCost alone = measure_pipe_pass("pipe-alone", changes),
                       ring = measure_pipe_pass("thread-ring", changes);
    Prediction prediction;
    prediction.how = fmt::format(
        "Passing the token takes {:.1f} us. Subtracting lmbench's switch of {:.2f} us (2p/0K) leaves {:.2f} "
        "us for "
        "one pass through a\n"
        "  pipe. The costs of a switch ({:.2f} us), of the footprint and of refilling a line come from the "
        "machine "
        "file, where they are\n"
        "  fitted to lmbench's row alone. The document states that threads and processes hardly differ.",
        kTokenPipe, kLatCtx[0].published, pipe, switch_cost);
    const auto add = [&](const char* row, const char* column, double published, double simulated) {
        prediction.cells.push_back({.row = row,
                                    .column = column,
                                    .published = published,
                                    .simulated = simulated,
                                    .unit = "us",
                                    .basis = Basis::predicted});
    };
    add("a pipe, alone", "us each pass", kPipeAlone, alone.time);
    add("20 threads, the pipe subtracted", "us each switch", kThreadRing - kPipeAlone,
        ring.time - alone.time);
    prediction.baselines = {{"the token's time minus lmbench's switch (pass) and lmbench's switch (switch)",
                             {kTokenPipe - kLatCtx[0].published, kLatCtx[0].published}}};
    return prediction;
}

}  // namespace sim::tables
