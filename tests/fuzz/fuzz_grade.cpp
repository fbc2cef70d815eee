// Fuzz target of tests files (homework). The reader returns tests or reports problems of one line each. If
// the tests are small, a policy is graded twice with them, with identical results.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/base/problem.h"
#include "sim/core/policy.h"
#include "sim/grade/grader.h"
#include "sim/grade/tests_file.h"
#include "small.h"

namespace {

// The tests file. It is in a directory of its own, because files named by the tests are looked up next to
// it.
const std::filesystem::path& file() {
    static const std::filesystem::path& path = *[] {
        const auto folder =
            std::filesystem::temp_directory_path() / ("switchyard-fuzz-grade-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder);
        std::atexit([] { std::filesystem::remove_all(file().parent_path()); });
        // Not destroyed: the atexit handler uses it.
        return new std::filesystem::path(folder / "tests.json");
    }();
    return path;
}

bool is_soon_over(const sim::grade::Tests& tests) {
    constexpr std::size_t kMostTests = 3;
    return tests.tests.size() <= kMostTests &&
           std::all_of(tests.tests.begin(), tests.tests.end(), [](const sim::grade::Test& test) {
               return std::all_of(test.scenarios.begin(), test.scenarios.end(), [](const auto& s) {
                   return is_small(*s) && s->until && *s->until <= sim::Nanos{1'000'000'000};
               });
           });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::ofstream(file(), std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        const sim::grade::Tests tests = sim::grade::load_tests(file().string());
        if (!is_soon_over(tests)) return 0;
        constexpr std::int64_t kInstructions = 300'000;
        const sim::grade::GradingResult once = grade(tests, "rr", kInstructions),
                                        again = grade(tests, "rr", kInstructions);
        if (once.earned_points() != again.earned_points() || once.earned_points() > tests.max_points())
            std::abort();
        for (std::size_t i = 0; i < once.results.size(); ++i)
            if (once.results[i].said != again.results[i].said ||
                once.results[i].difference != again.results[i].difference)
                std::abort();
    } catch (const sim::ScenarioError& error) {
        for (const sim::Problem& problem : error.problems())
            if (problem.text().find('\n') != std::string::npos) std::abort();
    } catch (const sim::PolicyError&) {
    }
    return 0;
}
