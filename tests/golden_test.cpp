// Golden hashes of the final state of every shipped scenario under every policy that supports its CPUs.
// Results must not change unnoticed with the compiler, the optimisation level, or statistics and traces.
// tests/golden/hashes.txt contains a line "scenario policy until hash" for each combination. After an
// intended change, `./run update-golden` rewrites the table; inspect the differences before the commit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/core/engine.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/golden_policies.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace golden_test {

constexpr const char* kFile = SWITCHYARD_SOURCE_DIR "/tests/golden/hashes.txt";
// Longer runs are checked in optimised builds only, and without statistics and traces.
constexpr Nanos kLong = 1h;

struct Row {
    std::string scenario, policy, until, hash;
    bool operator<(const Row& o) const {
        return std::tie(scenario, policy, until) < std::tie(o.scenario, o.policy, o.until);
    }
};

std::vector<Row> table() {
    std::vector<Row> rows;
    std::ifstream in(kFile);
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.front() == '#') continue;
        Row row;
        std::istringstream words(line);
        words >> row.scenario >> row.policy >> row.until >> row.hash;
        rows.push_back(row);
    }
    return rows;
}

enum class Observer { none, statistics, trace };

std::string hash_of(const Scenario& scenario, const std::string& spec, Nanos until, Observer observer) {
    const NamedPolicy policy = make_policy(spec);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics statistics(scenario.shape);
    Trace trace;
    DecisionLog log;
    if (observer != Observer::trace) {
        engine.run(m, {.until = until},
                   {.statistics = observer == Observer::statistics ? &statistics : nullptr});
    } else {
        // Simulates the run in parts, so that the trace does not fill the memory.
        do {
            trace.records.clear();
            engine.run(m, {.until = until, .decisions = m.globals().decisions + 10'000},
                       {.trace = &trace, .log = &log});
        } while (m.globals().now < until && !m.globals().is_stopped);
    }
    return fmt::format("{:016x}", m.hash());
}

Nanos time_of(const std::string& text) {
    std::string why;
    const std::optional<Nanos> time = parse_time(text, why);
    if (!time) throw std::runtime_error(fmt::format("'{}' in {}: {}", text, kFile, why));
    return *time;
}

// --- writing the table ---

// Returns the latest time at which a run may end so that no policy needs too much work. Candidates are
// round times and the end that the scenario specifies. Work is counted, not timed, so that the table does
// not depend on the machine that writes it.
Nanos suitable_end(const Scenario& scenario, const std::vector<const char*>& specs) {
    constexpr std::uint64_t kMostDecisions = 150'000, kMostRefills = 20'000'000;
    const Nanos own = scenario.until.value_or(kHorizon - 1ns);
    std::vector<Nanos> ends{own};
    for (const Nanos unit : {Nanos{1h}, Nanos{1min}, Nanos{1s}, Nanos{1ms}})
        for (const int count : {500, 200, 100, 50, 30, 20, 10, 5, 2, 1})
            if (count * unit < std::min<Nanos>(own, kLong)) ends.push_back(count * unit);
    std::sort(ends.begin(), ends.end());
    Nanos end = own;
    for (const char* spec : specs) {
        const NamedPolicy policy = make_policy(spec);
        const Engine engine(scenario, *policy.policy);
        Machine m = engine.initial_state();
        Statistics statistics(scenario.shape);
        Nanos last = ends.front();
        for (const Nanos next : ends) {
            engine.run(m, {.until = next, .decisions = kMostDecisions + 1}, {.statistics = &statistics});
            if (m.globals().decisions > kMostDecisions || statistics.recalculated > kMostRefills) break;
            last = next;
        }
        end = std::min(end, last);
    }
    return end;
}

void write_table() {
    std::ofstream out(kFile, std::ios::binary);
    out << "# scenario, policy, end of the run, hash of the machine then; written by tests/golden_test.cpp\n";
    for (const std::string& name : builtin_file_names("")) {
        const Scenario scenario = load_scenario(name);
        const auto write = [&](const std::vector<const char*>& specs) {
            const Nanos end = suitable_end(scenario, specs);
            for (const char* spec : specs)
                out << fmt::format("{} {} {} {}\n", name, spec, format_time(end),
                                   hash_of(scenario, spec, end, Observer::none));
            return end;
        };
        const Nanos end = write(policies_for(scenario));
        write(policies_for(scenario, kLaterGoldenPolicies));
        const Nanos own = scenario.until.value_or(end);
        if (own > kLong)
            out << fmt::format("{} {} {} {}\n", name, scenario.policy, format_time(own),
                               hash_of(scenario, scenario.policy, own, Observer::none));
    }
    out.close();
    ASSERT_TRUE(out) << kFile;
}

// --- the tests ---

class GoldenHashes : public testing::TestWithParam<std::string> {};

TEST_P(GoldenHashes, MatchTableWithAndWithoutObservers) {
    if (std::getenv("SWITCHYARD_WRITE_GOLDEN") != nullptr) GTEST_SKIP() << "the table is being written";
    const Scenario scenario = load_scenario(GetParam());
    std::size_t checked = 0;
    for (const Row& row : table()) {
        if (row.scenario != GetParam()) continue;
        SCOPED_TRACE(fmt::format("{} {} {}", row.scenario, row.policy, row.until));
        const Nanos until = time_of(row.until);
        if (until > kLong && !kOptimised) continue;
        EXPECT_EQ(hash_of(scenario, row.policy, until, Observer::none), row.hash);
        ++checked;
        if (until > kLong) continue;
        EXPECT_EQ(hash_of(scenario, row.policy, until, Observer::statistics), row.hash) << "with statistics";
        if (!kOptimised) continue;  // traces are slow without optimisation, and the same in each build
        EXPECT_EQ(hash_of(scenario, row.policy, until, Observer::trace), row.hash)
            << "with a trace and a log";
    }
    EXPECT_GE(checked, policies_for(scenario).size() + policies_for(scenario, kLaterGoldenPolicies).size());
}

INSTANTIATE_TEST_SUITE_P(Gallery, GoldenHashes, testing::ValuesIn(builtin_file_names("")), name_of_parameter);

TEST(GoldenTable, CoversExactlyAllScenariosAndPolicies) {
    if (std::getenv("SWITCHYARD_WRITE_GOLDEN") != nullptr) {
        write_table();
        GTEST_SKIP() << kFile << " is written";
    }
    std::set<std::pair<std::string, std::string>> expected, found;
    for (const std::string& name : builtin_file_names(""))
        for (const std::span<const char* const> all : {std::span<const char* const>(kGoldenPolicies),
                                                       std::span<const char* const>(kLaterGoldenPolicies)})
            for (const char* policy : policies_for(load_scenario(name), all)) expected.insert({name, policy});
    std::set<Row> rows;
    for (const Row& row : table()) {
        EXPECT_EQ(row.hash.size(), 16u) << row.scenario << " " << row.policy;
        EXPECT_TRUE(rows.insert(row).second)
            << "twice: " << row.scenario << " " << row.policy << " " << row.until;
        found.insert({row.scenario, row.policy});
    }
    EXPECT_EQ(found, expected) << "SWITCHYARD_WRITE_GOLDEN=1 writes the table anew";
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const Row& row) {
        return row.scenario == "web-server" && row.policy == "linux-2.0" && time_of(row.until) == 17h;
    })) << "the 17 hours of the web server";
}

TEST(GoldenTable, DistinguishesPoliciesWithDifferentDecisions) {
    if (std::getenv("SWITCHYARD_WRITE_GOLDEN") != nullptr) GTEST_SKIP() << "the table is being written";
    std::set<std::string> hashes;
    for (const Row& row : table())
        if (row.scenario == "yield-processes") hashes.insert(row.hash);
    // sorted-queue has the same hash with both values of `insert`, because with two tasks it does not
    // matter at which end an insertion starts.
    EXPECT_EQ(hashes.size(), std::size(kGoldenPolicies) - 1 + std::size(kLaterGoldenPolicies));
}

}  // namespace golden_test
}  // namespace sim
