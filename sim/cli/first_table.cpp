// first-table [PICTURE]: the yield table of 1997, as `switchyard reproduce yield-table --quiet [--picture
// PICTURE]` prints it.
//
// A program of its own, since it is built in a fraction of the time: `./run demo` shows the table while
// everything else is still being compiled.
#include <string>

#include "sim/base/program.h"
#include "sim/base/whole_file.h"
#include "sim/cli/table_report.h"

namespace {

int first_table(int argc, char** argv) {
    const sim::cli::Table table = sim::cli::yield_table();
    const sim::cli::TableResult result = table.reproduce(/*quiet=*/true);
    if (argc > 1) sim::write_whole_file(argv[1], sim::cli::report_picture(table, result));
    sim::print(sim::cli::make_report(table, result).text);
    return result.holds ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return sim::run_program("first-table", argc, argv, first_table); }
