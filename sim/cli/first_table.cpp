// first-table [PICTURE]: prints the table of `switchyard reproduce yield-table --quiet [--picture PICTURE]`.
//
// A separate program builds in a fraction of the time: `./run demo` shows the table while the rest is being
// compiled.
#include <string>

#include "sim/base/atomic_file.h"
#include "sim/base/main_wrapper.h"
#include "sim/cli/table_report.h"

namespace {

int first_table(int argc, char** argv) {
    const sim::cli::Table table = sim::cli::yield_table();
    const sim::cli::TableResult result = table.reproduce(/*quiet=*/true);
    if (argc > 1) sim::write_atomically(argv[1], sim::cli::report_picture(table, result));
    sim::print(sim::cli::make_report(table, result).text);
    return result.holds ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return sim::run_program("first-table", argc, argv, first_table); }
