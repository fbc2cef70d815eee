// Fuzz target of sweep results: the reader returns rows or reports what is wrong. Rows that it reads are
// written back byte for byte.
//
// The first byte selects the parser: 0 to 127 a results file, 128 to 255 the values of an axis.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "sim/lab/curves.h"
#include "sim/lab/sweep_file.h"
#include "sim/lab/values.h"

namespace {

void read_file(const std::string& bytes) {
    std::istringstream in(bytes);
    std::string again;
    try {
        sim::lab::SweepReader reader(in, "fuzz.jsonl");
        again = header_line(reader.spec(), reader.shard());
        if (reader.spec().runs() > 10'000) return;
        sim::lab::SweepResults results(reader.spec(), {sim::lab::find_measure("us-per-yield"),
                                                       sim::lab::find_measure("/per_cpu/0/idle_ns:/ticks")});
        for (sim::lab::Row row; reader.next(row);) {
            results.add(row);
            again += row_line(reader.spec(), row);
        }
        if (const auto axis = sim::lab::last_numeric_axis(reader.spec())) curves(results, 0, *axis);
    } catch (const sim::ScenarioError& error) {
        for (const sim::Problem& problem : error.problems())
            if (problem.text().find('\n') != std::string::npos) std::abort();
    }
    if (!bytes.starts_with(again)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (*data < 128) {
        read_file(bytes);
        return 0;
    }
    try {
        const std::vector<std::string> values = sim::lab::parse_values(bytes);
        if (values.empty()) std::abort();
        sim::lab::numbers_of(values);
    } catch (const sim::lab::LabError&) {
    }
    return 0;
}
