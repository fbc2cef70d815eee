// yield-table-program [PICTURE]: prints the yield table and its curve, and draws the table into PICTURE, as
// `switchyard reproduce yield-table --picture PICTURE` does. yield-table-program --rules: prints three
// sentences that follow from the kernel's rules.
//
// This program is built much faster than `switchyard`, so `./run demo` can show the table while the other
// programs are being compiled.
#include <string>
#include <string_view>

#include "sim/base/atomic_file.h"
#include "sim/base/main_wrapper.h"
#include "sim/tables/table_report.h"
#include "sim/tables/yield_summary.h"

namespace {

int print_yield_table(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "--rules") {
        sim::print(sim::tables::yield_rules_text());
        return 0;
    }
    const sim::tables::Table table = sim::tables::yield_table();
    const sim::tables::TableResult result = table.reproduce({.hints = false});
    if (argc > 1) sim::write_atomically(argv[1], sim::tables::report_svg(table, result));
    sim::print(
        "What one sched_yield() costs on Linux 2.0, and one Sleep(0) on NT: published in 1997 / simulated, "
        "in "
        "us\n\n" +
        sim::tables::short_yield_table(result.cells) +
        "  (nine costs were fitted to these 36 cells; `switchyard reproduce yield-table --scores` "
        "rates the fit)\n\n" +
        sim::tables::yield_cost_plot_text());
    return result.holds ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return sim::run_main("yield-table-program", argc, argv, print_yield_table);
}
