// Times of a switch in the first table of the 1997 document. Its last table has the same measurements; the
// costs are fitted to that table.
#include <fmt/format.h>

#include <string_view>

#include "sim/tables/published.h"
#include "sim/tables/tables.h"
#include "sim/tables/yield_cost.h"

namespace sim::tables {
namespace {

// The row of the yield table for the same measurement, before the patch.
const YieldRow& yield_row_of(const RepeatedMeasurement& measurement) {
    const bool nt = std::string_view(measurement.system) == "NT",
               thread = std::string_view(measurement.label) == "a thread";
    return yield_rows()[(nt ? kLinuxRows : 0) + (thread ? 1 : 0)];
}

TableResult reproduce_switches(const TableOptions& options) {
    TableResult result;
    for (const RepeatedMeasurement& given : kGivenTwice) {
        const YieldCost m = measure_yield_cost(yield_row_of(given), kYieldContexts.front());
        result.cells.push_back({.row = given.label,
                                .column = given.system,
                                .published = given.first,
                                .simulated = m.per_yield(m.time),
                                .unit = "us",
                                .note = given.first == given.last
                                            ? ""
                                            : fmt::format("the document's last table has {} us", given.last),
                                // The costs are fitted to the same measurement in the last table.
                                .basis = Basis::fitted,
                                .noise = kNoise1997,
                                .counted_elsewhere = true});  // in yield-table
    }
    result.holds = all_within_tolerance(result.cells);
    result.text =
        "switch-table: the time of a switch by sched_yield() and Sleep(0), in the first table of "
        "1997\n"
        "\n" +
        cells_text(result.cells) +
        "\n"
        "The costs are fitted to the document's last table, which has the same measurement. So these cells "
        "show how well the\n"
        "document agrees with itself. Assumed: two contexts, which this table does not state. Scored "
        "published values: 4.\n";
    if (options.hints)
        result.text +=
            "\n"
            "Look at: the two tables of one document differ by 0, 0, 1 and 3 us where they state the "
            "same value. No\n"
            "  model can be nearer to both than that.\n"
            "Try next:\n"
            "  switchyard reproduce yield-table\n";
    return result;
}

}  // namespace

Table context_switch_table() {
    return {
        .name = "switch-table",
        .summary = "the time of a switch of processes and of threads in 1997, on Linux and on NT: 4 cells",
        .source = "the 1997 document on sched_yield, its first table: switch current process, current thread",
        .reproduce = reproduce_switches};
}

}  // namespace sim::tables
