// Tests of the tables goroutines, lazy TLB, park/unpark, polling and reclamation: they contain the published
// values, scored cells are within tolerance, and the simulation confirms the reasons in their texts.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/command_line.h"
#include "tests/support/golden_table.h"
#include "tests/support/test_sizes.h"

using nlohmann::json;

namespace published_tables_test {

constexpr const char* kTables[] = {"ajax-polling", "goroutines", "lazy-tlb", "park-unpark", "reclamation"};

class PublishedTables : public CommandLine {
  protected:
    const json& cell(const std::string& name, const std::string& row, const std::string& column) const {
        for (const json& c : reproduced(name)["cells"])
            if (c["row"] == row && c["column"] == column) return c;
        ADD_FAILURE() << "no cell " << row << ", " << column << " in " << name;
        return reproduced(name)["cells"].at(0);
    }
    double simulated(const std::string& name, const std::string& row, const std::string& column) const {
        return cell(name, row, column)["simulated"];
    }

    void expect_published(const std::string& name, const std::string& row, const std::string& column,
                          double published) const {
        const json& c = cell(name, row, column);
        EXPECT_EQ(c["published"], published) << c;
        EXPECT_TRUE(c["scored"].get<bool>()) << c;
    }
    // Expects that in every scored cell of the table, the simulated value is within 10 % of the published
    // one, and that every other cell states why it is not scored.
    void expect_within(const std::string& name, std::size_t counting) const {
        EXPECT_TRUE(reproduced(name)["holds"].get<bool>());
        std::size_t scored = 0;
        for (const json& c : reproduced(name)["cells"]) {
            if (!c["scored"].get<bool>()) {
                EXPECT_NE(c["note"], "") << c;
                continue;
            }
            ++scored;
            const double published = c["published"], figure = c["simulated"];
            const double tolerance = 0.1 * published;
            EXPECT_LE(std::abs(figure - published), tolerance) << c;
            EXPECT_DOUBLE_EQ(c["tolerance"], tolerance) << c;
        }
        EXPECT_EQ(scored, counting);
    }
};

TEST_F(PublishedTables, FittedParametersAreFewerThanHalf) {
    if (!kOptimised) GTEST_SKIP() << "a minute of simulated servers: only in optimised builds";
    std::size_t scored = 0, fitted = 0;
    for (const char* name : kTables) {
        for (const json& c : reproduced(name)["cells"]) scored += c["scored"].get<bool>();
        // The text of a table contains "Fitted: 2 (...)", or states that no value was fitted.
        const std::string text = reproduced_text(name);
        const std::size_t at = text.find("Fitted: ");
        if (at == std::string::npos)
            EXPECT_TRUE(text.find("nothing is fitted") != std::string::npos ||
                        text.find("No parameter is fitted") != std::string::npos)
                << text;
        else
            fitted += static_cast<std::size_t>(std::stoi(text.substr(at + 8)));
        EXPECT_NE(text.find("Look at: "), std::string::npos) << text;
        EXPECT_NE(text.find("Try next:\n  switchyard "), std::string::npos) << text;
    }
    EXPECT_EQ(scored, 17u);
    EXPECT_EQ(fitted, 8u);
}

TEST_F(PublishedTables, KernelThreadCostsTwoOrZeroFlushes) {
    expect_within("lazy-tlb", 0);  // the published values follow from a definition
    for (const json& c : reproduced("lazy-tlb")["cells"]) EXPECT_EQ(c["simulated"], c["published"]) << c;
    for (const char* row : {"linux-2.0", "linux-2.2"}) {
        EXPECT_EQ(simulated("lazy-tlb", row, "A > kthread > A"), 2);
        EXPECT_EQ(simulated("lazy-tlb", row, "A > B"), 1);
        EXPECT_EQ(simulated("lazy-tlb", row, "A > kthread > B"), 2);
    }
    EXPECT_EQ(simulated("lazy-tlb", "linux-2.4.22", "A > kthread > A"), 0);
    EXPECT_EQ(simulated("lazy-tlb", "linux-2.4.22", "A > B"), 1);
    EXPECT_EQ(simulated("lazy-tlb", "linux-2.4.22", "A > kthread > B"), 1);
    // linux-2.0 with the option lazy_tlb equals linux-2.4.22, and linux-2.4.22 without it equals linux-2.0.
    for (const char* column : {"A > kthread > A", "A > B", "A > kthread > B"}) {
        EXPECT_EQ(simulated("lazy-tlb", "linux-2.0, lazy_tlb on", column),
                  simulated("lazy-tlb", "linux-2.4.22", column));
        EXPECT_EQ(simulated("lazy-tlb", "linux-2.4.22, lazy_tlb off", column),
                  simulated("lazy-tlb", "linux-2.0", column));
    }
}

TEST_F(PublishedTables, GoroutinesSwitchThreeTimesForEachInterrupt) {
    expect_within("goroutines", 2);
    expect_published("goroutines", "a pool of threads", "switches (cs)", 201'516);
    expect_published("goroutines", "a pool of threads", "interrupts (in)", 65'259);
    // Compares switches per interrupt, without counting ticks. On four CPUs every wake-up finds an idle
    // CPU, so there are only two switches per interrupt.
    const auto per_interrupt = [&](const char* row, double cpus) {
        return simulated("goroutines", row, "switches (cs)") /
               (simulated("goroutines", row, "interrupts (in)") - 100 * cpus);
    };
    EXPECT_NEAR(per_interrupt("a pool of threads", 2), 3, 0.01);
    EXPECT_NEAR(per_interrupt("a pool on 4 CPUs", 4), 2, 0.01);
    EXPECT_LE(simulated("goroutines", "one loop", "switches (cs)"), 1);
}

TEST_F(PublishedTables, ParkTakesThreefoldTimeBetweenCpus) {
    if (!kOptimised) GTEST_SKIP() << "a million hand-offs: only in optimised builds";
    expect_within("park-unpark", 9);
    for (const auto& [row, published] :
         {std::pair{"two CPUs, pinned, run 1", 8177}, std::pair{"two CPUs, pinned, run 2", 8265},
          std::pair{"two CPUs, pinned, run 3", 7738}, std::pair{"one CPU, run 1", 2634},
          std::pair{"one CPU, run 2", 2593}, std::pair{"one CPU, run 3", 2634}})
        expect_published("park-unpark", row, "a park", published);
    expect_published("park-unpark", "one CPU", "switches a park", 1.03);
    const auto ns = [&](const char* row) { return simulated("park-unpark", row, "a park"); };
    // The simulated values differ from the published ones by much less than the tolerance, because they
    // were fitted.
    EXPECT_NEAR(ns("two CPUs, pinned, run 1"), (8177 + 8265 + 7738) / 3.0, 20);
    EXPECT_NEAR(ns("one CPU, run 1"), (2634 + 2593 + 2634) / 3.0, 5);
    EXPECT_NEAR(simulated("park-unpark", "two CPUs, pinned, least", "switches a park"), 2, 0.03);
}

TEST_F(PublishedTables, SwitchesGrowUntilCpusAreBusy) {
    if (!kOptimised) GTEST_SKIP() << "a hundred thousand requests: only in optimised builds";
    expect_within("ajax-polling", 0);
    const auto of = [&](int clients, const char* column) {
        return simulated("ajax-polling", fmt::format("{} clients", clients), column);
    };
    // The number of switches is proportional to the number of clients as long as there are idle CPUs. With
    // more clients, the number of switches decreases.
    EXPECT_NEAR(of(2000, "switches (cs)") / of(1000, "switches (cs)"), 2, 0.05);
    EXPECT_NEAR(of(8000, "switches (cs)") / of(4000, "switches (cs)"), 2, 0.1);
    EXPECT_LT(of(12'000, "switches (cs)"), of(9000, "switches (cs)"));
    EXPECT_NEAR(of(9500, "busy CPUs"), 3000, 60);
    EXPECT_GT(of(12'000, "busy CPUs"), 3190);
    EXPECT_LT(of(4000, "a request waits"), 0.01);
    EXPECT_GT(of(12'000, "a request waits"), 500);
}

TEST_F(PublishedTables, EpochReclamationSleepsForAllocatorLock) {
    if (!kOptimised) GTEST_SKIP() << "ten seconds of eight threads, three times: only in optimised builds";
    expect_within("reclamation", 6);
    constexpr struct {
        const char* scheme;
        double voluntary, involuntary;
    } kPublished[] = {{"NIL", 2'997, 3'284}, {"HPBR", 1'035, 3'186}, {"EBR", 211'896, 3'169}};
    for (const auto& p : kPublished) {
        expect_published("reclamation", p.scheme, "voluntary", p.voluntary);
        expect_published("reclamation", p.scheme, "involuntary", p.involuntary);
    }
    // The summary shows the cause: threads that free memory at the same time contend for a lock.
    const json summary = json_output({"run", "reclamation-ebr"});
    const auto& waits = summary["waits"];
    const auto lock =
        std::find_if(waits.begin(), waits.end(), [](const json& w) { return w["kind"] == "lock"; });
    ASSERT_NE(lock, waits.end());
    EXPECT_EQ((*lock)["name"], "arena");
    EXPECT_GT((*lock)["switches"].get<double>(), 0.98 * summary["switches"]["voluntary"].get<double>());
    std::uint64_t ended = 0;
    for (const json& by : (*lock)["ended_by"]) {
        EXPECT_TRUE(by["waker"].get<std::string>().starts_with("thread")) << by;
        EXPECT_NE(by["waker"], by["waiter"]);
        ended += by["waits"].get<std::uint64_t>();
    }
    EXPECT_LE((*lock)["switches"].get<std::uint64_t>() - ended, 8u);  // waits that have not ended
}

using GoldenReproductions = CommandLine;

TEST_F(GoldenReproductions, MatchStoredHashes) {
    if (!kOptimised) GTEST_SKIP() << "needs all tables: only in optimised builds";
    std::vector<std::string> names;
    for (const json& entry : json_output({"list", "tables"})) names.push_back(entry.at("name"));
    GoldenTable table("reproduce_hashes.txt");
    for (const std::string& name : names)
        table.expect(name, reproduced(name).dump(1) + reproduced_text(name));
    table.expect_names(names);
}

}  // namespace published_tables_test
