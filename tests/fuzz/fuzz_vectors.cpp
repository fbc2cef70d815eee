// Fuzz target of recorded decisions: verify_recorded_results() returns a result or reports what is wrong.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <sstream>
#include <string>

#include "sim/base/problem.h"
#include "sim/check/recorded_results.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // The first byte selects the policy.
    static const char* const policies[] = {"",
                                           "sorted-queue",
                                           "sorted-queue:insert=head",
                                           "round-robin:quantum=1",
                                           "linux-2.2",
                                           "linux-2.4.0",
                                           "linux-2.4.22",
                                           "nt4",
                                           "linux-2.6.20",
                                           "linux-2.6.24",
                                           "linux-2.6.32",
                                           "linux-6.6"};
    if (size == 0) return 0;
    std::istringstream lines(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
    try {
        sim::verify_recorded_results(lines, "fuzz.jsonl", policies[*data % std::size(policies)]);
    } catch (const sim::ScenarioError& error) {
        for (const sim::Problem& problem : error.problems()) problem.text();
    }
    return 0;
}
