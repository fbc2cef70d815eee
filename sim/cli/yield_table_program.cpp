// yield-table-program [PICTURE]: prints the cells of `switchyard reproduce yield-table --quiet [--picture
// PICTURE]`.
//
// A separate program builds in a fraction of the time: `./run demo` shows the table while the rest is being
// compiled.
#include <string>

#include "sim/base/atomic_file.h"
#include "sim/base/main_wrapper.h"
#include "sim/tables/table_report.h"

namespace {

int print_yield_table(int argc, char** argv) {
    const sim::tables::Table table = sim::tables::yield_table();
    const sim::tables::TableResult result = table.reproduce({.hints = false});
    if (argc > 1) sim::write_atomically(argv[1], sim::tables::report_picture(table, result));
    // The title and the cells, each followed by an empty line.
    const std::size_t cells = result.text.find("\n\n"), end = result.text.find("\n\n", cells + 2);
    sim::print(result.text.substr(0, end));
    sim::print(
        "\n\nEach cell is a simulation; nine costs were fitted to the 36 published ones. `switchyard "
        "reproduce yield-table` also prints\n"
        "the counts behind the cells, the score of the fit, and predictions from another table.\n");
    return result.holds ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return sim::run_program("yield-table-program", argc, argv, print_yield_table);
}
