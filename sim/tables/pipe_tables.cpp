// Tables of 2019 that measure a switch through pipes: a token between two processes, a signal round a ring of
// threads, and lmbench's lat_ctx.
#include <fmt/format.h>

#include "sim/tables/cache_fit.h"
#include "sim/tables/pipe_pass.h"
#include "sim/tables/predictions.h"
#include "sim/tables/published.h"
#include "sim/tables/tables.h"

namespace sim::tables {
namespace {

std::string pass_cost_text(const PipePassCost& pass) {
    return fmt::format(
        "A pass takes {:.3f} us: system calls, pipe and wake-up {:.3f}, search {:.3f}, switch "
        "{:.3f}, address space {:.3f},\n"
        "  cache refill {:.3f}.\n",
        pass.time, pass.system, pass.search, pass.switching, pass.address_space, pass.refill);
}

constexpr const char* kKernel =
    "The kernel was 2.6.32 (stated for lmbench, assumed for the other programs); linux-2.4.22 stands in for "
    "it "
    "here, as when\n"
    "the costs were fitted. own-kernels shows both.\n";

std::vector<Cell> token_cells(const PipePassCost& pass) {
    return {{"two processes", "us each switch", kTokenPipe, pass.time / pass.switches, "us", true, "",
             Basis::predicted}};
}

TableResult reproduce_token_pipe(const TableOptions& options) {
    TableResult result;
    const PipePassCost pass = measure_pipe_pass("token-pipe");
    result.cells = token_cells(pass);
    result.holds = all_within_tolerance(result.cells);
    result.text = "token-pipe: two processes hand a token to each other through pipes\n\n" +
                  cells_text(result.cells) + "\n" + pass_cost_text(pass) +
                  "No parameter is fitted here: the machine's five parameters are fitted to the tables\n"
                  "thread-ring and lat-ctx. Assumed: both processes stay on one CPU. Scored published "
                  "values: 1.\n" +
                  kKernel;
    if (options.hints)
        result.text +=
            "\n"
            "Look at: the switch takes most of a pass; the two system calls take a seventh.\n"
            "Try next:\n"
            "  switchyard run token-pipe --set /tasks/0/mm=both --set /tasks/1/mm=both\n"
            "  switchyard reproduce thread-ring\n";
    return result;
}

std::vector<Cell> ring_cells(const PipePassCost& pipe, const PipePassCost& ring) {
    return {
        {"a pipe, alone", "us each pass", kPipeAlone, pipe.time, "us"},
        {"20 threads", "us each pass", kThreadRing, ring.time, "us", false,
         "the sum of the switch below and the pipe above"},
        {"20 threads, the pipe subtracted", "us each switch", kThreadRing - kPipeAlone, ring.time - pipe.time,
         "us"},
    };
}

TableResult reproduce_thread_ring(const TableOptions& options) {
    TableResult result;
    const PipePassCost pass = measure_pipe_pass("thread-ring");
    result.cells = ring_cells(measure_pipe_pass("pipe-alone"), pass);
    result.holds = all_within_tolerance(result.cells);
    result.text = "thread-ring: 20 threads pass a signal on through pipes\n\n" + cells_text(result.cells) +
                  "\n" + pass_cost_text(pass) +
                  "Fitted: 2 (the cost of a pipe, and switch_same_mm). Assumed: all threads stay on one CPU. "
                  "Scored published\n"
                  "values: 2.\n" +
                  kKernel;
    if (options.hints)
        result.text +=
            "\n"
            "Look at: no address space is loaded, and yet a switch takes longer than between the two "
            "processes of\n"
            "  token-pipe: nineteen other threads have used the cache since a thread's last turn.\n"
            "Try next:\n"
            "  switchyard run thread-ring --set /machine/cache/footprint/size=0KiB\n"
            "  switchyard reproduce lat-ctx\n";
    return result;
}

// For each cell of lmbench's row, the value predicted by a fit of the machine's three costs to the other
// cells.
std::vector<double> lat_ctx_cross_validation() {
    constexpr double kLine = 64, kPlaces = (1 << 20) / kLine;
    constexpr int kMost = 256 * 1024;  // maximum footprint tried, in bytes
    const auto work = [](const LatCtxColumn& c, int bytes) {
        const double lines = bytes / kLine, array = c.kib * 1024 / kLine;
        return std::vector<double>{1, lines_lost(lines, (c.processes - 1) * (lines + array), kPlaces)};
    };
    std::vector<double> says;
    for (const LatCtxColumn& left_out : kLatCtx) {
        const CacheFit fit = fit_cache_parameters(kMost, [&](int bytes) {
            std::vector<lab::Observation> others;
            for (const LatCtxColumn& c : kLatCtx)
                if (&c != &left_out) others.push_back({work(c, bytes), c.published});
            return others;
        });
        says.push_back(lab::predicted_value({work(left_out, fit.footprint), 0}, fit.costs));
    }
    return says;
}

Cell lat_ctx_cell(const LatCtxColumn& column, const LatCtxRun& run) {
    return {.row = fmt::format("{}p/{}K", column.processes, column.kib),
            .column = "us each switch",
            .published = column.published,
            .simulated = run.time_per_switch(),
            .unit = "us",
            .series = fmt::format("{}K", column.kib),
            .x = static_cast<double>(column.processes)};
}

TableResult reproduce_lat_ctx(const TableOptions& options) {
    TableResult result;
    std::string work;
    const std::vector<double> left_out = lat_ctx_cross_validation();
    for (const LatCtxColumn& column : kLatCtx) {
        const LatCtxRun run = measure_lat_ctx(column);
        const PipePassCost& ring = run.ring;
        const double says = left_out[result.cells.size()];
        result.cells.push_back(lat_ctx_cell(column, run));
        result.cells.back().left_out = says;
        work += fmt::format("  {:<8}{:>10.2f}{:>10.2f}{:>12.2f}{:>12.2f}{:>12.2f}\n", result.cells.back().row,
                            ring.time, run.alone.time, ring.switching, ring.address_space, ring.refill);
    }
    result.holds = all_within_tolerance(result.cells);
    result.text = "lat-ctx: lmbench's row of context switches\n\n" + cells_text(result.cells) +
                  fmt::format(
                      "\n"
                      "rms {:.2f} us, worst {:.2f} us. Time of a pass, in us:\n"
                      "\n"
                      "  {:<8}{:>10}{:>10}{:>12}{:>12}{:>12}\n",
                      rms_difference(result.cells), worst_difference(result.cells), "", "ring", "alone",
                      "switch", "addresses", "refill") +
                  work +
                  "\n"
                  "A switch is a pass round the ring minus a pass of one process alone, as in lat_ctx.\n"
                  "Fitted: 4 (switch_other_mm, the footprint, the refill of a line, and the size of the "
                  "cache, one of three candidates).\n"
                  "Assumed: all processes stay on one CPU. Scored published values: 7.\n" +
                  kKernel;
    if (options.hints)
        result.text +=
            "\n"
            "Look at: the number of processes, not the size of their arrays, makes a switch expensive. So "
            "the fit gives\n"
            "  every process a footprint of its own in the cache, and fetching the arrays costs nothing. It "
            "cannot match\n"
            "  one result: with 2 and with 8 processes, the measured switch is cheaper with 64 KiB than "
            "with 16.\n"
            "Try next:\n"
            "  switchyard run lat-ctx --set /machine/cache/size=512KiB\n"
            "  switchyard reproduce token-pipe\n";
    return result;
}

}  // namespace

Table token_pipe_table() {
    return {
        .name = "token-pipe",
        .summary = "a token between two processes: the time of a switch, pipes included",
        .source = "the 2019 document on context switches, the first experiment: two processes and a token",
        .reproduce = reproduce_token_pipe,
        .predictions = {{.from = {"thread-ring", "lat-ctx"},
                         .baselines = {{"the time of a pass round the ring", {kThreadRing}}}}},
        .cells_under = [](const std::string& policy) {
            return token_cells(measure_pipe_pass("token-pipe", {}, policy));
        }};
}

Table thread_ring_table() {
    return {
        .name = "thread-ring",
        .summary = "a signal round a ring of 20 threads: a pipe alone, and the time of a switch",
        .source = "the 2019 document on context switches, the last experiment: 20 threads and pipes",
        .reproduce = reproduce_thread_ring,
        .fitted = 2,
        .predictions = {{.from = {"token-pipe", "lat-ctx"}, .predict = predict_ring_from_token_and_lat_ctx}},
        .not_left_out =
            "each of the two numbers is fitted to one cell, so it cannot be fitted without that cell",
        .cells_under = [](const std::string& policy) {
            return ring_cells(measure_pipe_pass("pipe-alone", {}, policy),
                              measure_pipe_pass("thread-ring", {}, policy));
        }};
}

Table lat_ctx_table() {
    return {.name = "lat-ctx",
            .summary = "lmbench's context switches, 2 to 16 processes with 0 to 64 KiB: 7 cells",
            .source = "the 2019 document on context switches, lmbench's row",
            .reproduce = reproduce_lat_ctx,
            .fitted = 4,
            .predictions = {{.from = {"token-pipe", "thread-ring"},
                             .predict = predict_lat_ctx_from_pipe_and_ring}},
            .cells_under = [](const std::string& policy) {
                std::vector<Cell> cells;
                for (const LatCtxColumn& column : kLatCtx)
                    cells.push_back(lat_ctx_cell(column, measure_lat_ctx(column, {}, policy)));
                return cells;
            }};
}

}  // namespace sim::tables
