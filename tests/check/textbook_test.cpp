// Replays exercises of textbooks: OSTEP's programs and tables of books. Computed results must be exact;
// published values must match as printed.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "sim/check/recorded_results.h"
#include "tests/support/program.h"
#include "tests/support/scratch_folder.h"

namespace sim {
namespace textbook_test {

using Json = nlohmann::json;

std::string text_of(const std::string& name) {
    std::ifstream in(std::string(SWITCHYARD_SOURCE_DIR) + "/tests/textbook/" + name, std::ios::binary);
    EXPECT_TRUE(in) << name;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

VerifyResult verify_text(const std::string& text, const VerifyOptions& options = {}) {
    std::istringstream in(text);
    return verify_recorded_results(in, "test.jsonl", options);
}

const VerifyResult::ExerciseGroup& group(const VerifyResult& r, std::string_view name) {
    for (const VerifyResult::ExerciseGroup& g : r.groups)
        if (g.name == name) return g;
    throw std::runtime_error("no group " + std::string(name));
}

// Returns the line of ostep.jsonl that contains this case.
Json case_of(const std::string& id) {
    std::istringstream in(text_of("ostep.jsonl"));
    for (std::string line; std::getline(in, line);)
        if (line.find("\"id\":\"" + id + "\"") != std::string::npos) return Json::parse(line);
    throw std::runtime_error("no case " + id);
}

TEST(OstepPrograms, MatchInScheduleAndEveryMetric) {
    const VerifyResult r = verify_text(text_of("ostep.jsonl"));
    EXPECT_EQ(r.differences, 0u) << r.first_difference;
    for (const char* name : {"fifo", "sjf", "rr", "lottery", "mlfq"}) {
        // Two more of mlfq have requests to devices that take no time.
        EXPECT_EQ(group(r, name).cases, std::string(name) == "mlfq" ? 62u : 60u) << name;
        EXPECT_TRUE(group(r, name).left_out.empty()) << name;
    }
    // Among the cases of multi.py, only those with a single queue, or with one queue per CPU and without
    // stealing, are replayed.
    const VerifyResult::ExerciseGroup& multi = group(r, "multi");
    std::uint64_t left_out = 0;
    for (const auto& [why, count] : multi.left_out) left_out += count;
    EXPECT_EQ(multi.cases + left_out, 30u);
    EXPECT_EQ(multi.cases, 19u);
    EXPECT_EQ(r.cases + r.left_out, 332u);
}

// Every field is compared: a change in any of them is reported.
TEST(OstepPrograms, AnyChangedFieldIsMismatch) {
    const auto differs = [](const Json& line) { return verify_text(line.dump() + "\n").differences == 1; };
    for (const char* id : {"fifo-002", "sjf-003", "rr-004", "lottery-006", "mlfq-014"}) {
        const Json line = case_of(id);
        EXPECT_FALSE(differs(line)) << id;
        for (const char* metric : {"response", "turnaround", "wait"}) {
            Json changed = line;
            changed[metric].back() = changed[metric].back().get<int>() + 1;
            EXPECT_TRUE(differs(changed)) << id << " " << metric;
        }
        Json longer = line;
        longer["schedule"].back()[1] = longer["schedule"].back()[1].get<int>() + 1;
        EXPECT_TRUE(differs(longer)) << id;
    }
    Json level = case_of("mlfq-014");
    level["level"][0][0] = level["level"][0][0].get<int>() + 1;
    EXPECT_TRUE(differs(level));
    Json multi = case_of("multi-002");
    EXPECT_FALSE(differs(multi));
    multi["cpus"][0]["schedule"][0][1] = 21;
    EXPECT_TRUE(differs(multi));
    // A case with two CPUs. Its jobs displace each other from the caches, and some may run on one CPU only.
    const Json moving = case_of("multi-026");
    EXPECT_FALSE(differs(moving));
    for (const char* metric : {"response", "turnaround", "wait", "warm"})
        for (std::size_t i = 0; i < moving[metric].size(); ++i) {
            Json changed = moving;
            changed[metric][i] = changed[metric][i].get<int>() + 1;
            EXPECT_TRUE(differs(changed)) << metric << " " << i;
        }
    for (const char* rule : {"warmup", "warm_rate", "quantum"}) {
        Json changed = moving;
        changed["params"][rule] = changed["params"][rule].get<int>() + 1;
        EXPECT_TRUE(differs(changed)) << rule;
    }
    Json smaller = moving;
    smaller["params"]["cache_size"] = 130;
    EXPECT_TRUE(differs(smaller));
}

TEST(OstepPrograms, FirstMismatchHasPosition) {
    Json line = case_of("rr-001");
    line["wait"][1] = 8;
    const VerifyResult r = verify_text("\n" + line.dump() + "\n");
    EXPECT_EQ(r.first_difference,
              "test.jsonl:2: rr-001: /wait/1 under rr:quantum=1\n  recorded: 8  replayed: 9\n");
    line["schedule"][3] = {1, 2};
    EXPECT_EQ(verify_text(line.dump()).first_difference,
              "test.jsonl:1: rr-001: /schedule/3 under rr:quantum=1\n"
              "  from time 3 on:  recorded: 1 for 2  replayed: 0 for 1\n");
}

// If the caller specifies another policy, the options of the case are applied to that policy as far as it
// supports them. Options that the caller specifies have precedence.
TEST(OstepPrograms, ReplayUnderSpecifiedPolicy) {
    const VerifyOptions own{.policy = "round-robin", .only = "rr"};
    const VerifyResult r = verify_text(text_of("ostep.jsonl"), own);
    EXPECT_EQ(r.cases, 60u);
    EXPECT_EQ(r.differences, 0u) << "in whole ticks the one in C++ does the same: " << r.first_difference;
    EXPECT_GT(verify_text(text_of("ostep.jsonl"), {.policy = "rr:quantum=3", .only = "rr"}).differences, 30u);
    EXPECT_EQ(verify_text(text_of("ostep.jsonl"), {.policy = "mlfq", .only = "mlfq"}).differences, 0u);
    EXPECT_GT(verify_text(text_of("ostep.jsonl"), {.policy = "mlfq:boost=7", .only = "mlfq"}).differences,
              10u);
    EXPECT_GT(verify_text(text_of("ostep.jsonl"), {.policy = "fcfs"}).differences, 100u);
}

TEST(OstepPrograms, FailingPolicyScriptIsMismatch) {
    const ScratchFolder folder;
    const std::string file = (folder.path() / "my.lua").string();
    std::ofstream(file) << "options { quantum = 7 }\nfunction tick(p)\n    error(option.quantum)\nend\n";
    const VerifyResult r = verify_text(case_of("rr-001").dump(), {.policy = file});
    EXPECT_EQ(r.differences, 1u);
    EXPECT_NE(r.first_difference.find("my.lua:3: error(): 1, in tick() at 1ms"), std::string::npos)
        << r.first_difference;
}

TEST(TextbookTables, MatchInScheduleAndEveryMetric) {
    const VerifyResult r = verify_text(text_of("textbook-tables.json"));
    EXPECT_EQ(r.differences, 0u) << r.first_difference;
    const auto cases = [&](const char* name) { return group(r, name).cases; };
    // The file contains 44 tables, and 7 cases under another rule for ties.
    EXPECT_EQ(cases("fcfs") + cases("rr") + cases("sjf") + cases("srtf") + cases("hrrn") + cases("feedback") -
                  1 + cases("priority") + cases("priority+rr") + cases("given order"),
              44u + 7u);
    // The file contains 22 sets of periodic tasks, some of them under several policies.
    EXPECT_EQ(cases("rm") + cases("edf") + cases("fixed priority"), 30u);
    EXPECT_EQ(cases("processor sharing") + cases("stride") + cases("lottery") + cases("utilisation"), 6u);
    EXPECT_EQ(r.left_out, 4u) << "a metric, two guesses, and tasks that are refused";
}

TEST(TextbookTables, AnyChangedFieldIsMismatch) {
    const Json tables = Json::parse(text_of("textbook-tables.json"));
    const auto differs = [](const Json& changed) { return verify_text(changed.dump(1)).differences > 0; };
    for (const auto& [key, value] : tables["tables"][1]["computed"].items()) {
        Json changed = tables;
        Json& field = changed["tables"][1]["computed"][key];
        if (key == "schedule")
            field[2][1] = 7;
        else if (field.is_array())
            field[2] = field[2].get<double>() + 0.001;
        else
            field = field.get<double>() + 0.001;
        EXPECT_TRUE(differs(changed)) << key;
    }
    Json misses = tables;
    misses["real_time"][2]["computed"]["rm"]["misses"] = Json::array();
    EXPECT_TRUE(differs(misses));
    Json goes_on = tables;
    for (Json& set : goes_on["real_time"]) set.erase("late");
    EXPECT_TRUE(differs(goes_on)) << "one set gives up what is late";
    Json published = tables;
    published["tables"][1]["published"]["mean_turnaround"] = 10.9;
    EXPECT_TRUE(differs(published));
    Json first_miss = tables;
    for (Json& set : first_miss["real_time"])
        if (set["published"].contains("rm") && set["published"]["rm"].contains("first_miss"))
            set["published"]["rm"]["first_miss"][1] = 80;
    EXPECT_TRUE(differs(first_miss));

    Json feasible = tables;
    feasible["real_time"][0]["published"]["rm"]["feasible"] = false;
    EXPECT_TRUE(differs(feasible));

    Json passes = tables;
    passes["proportional_share"][0]["published"]["passes"][3][0] = 101;
    EXPECT_TRUE(differs(passes));
}

// Liu and Layland: n jobs are schedulable with rate-monotonic priorities if U <= n (2^(1/n) - 1), so (1 +
// U/n)^n is 2 at the bound.
TEST(TextbookTables, BoundsMatchLiuAndLayland) {
    const Json tables = Json::parse(text_of("textbook-tables.json"));
    const Json& bounds = tables["utilisation_bound"][0]["published"]["rm"];
    const auto power = [](double bound, int n) {
        double product = 1;
        for (int i = 0; i < n; ++i) product *= 1 + bound / n;
        return product;
    };
    for (int n = 1; n <= 5; ++n) {
        const double bound = bounds[std::to_string(n)];
        EXPECT_NEAR(power(bound, n), 2, 0.002) << n;
    }
    EXPECT_NEAR(power(bounds["infinite"], 1'000'000), 2, 0.002);
    for (const Json& set : tables["real_time"]) {
        const int n = static_cast<int>(set["tasks"].size());
        EXPECT_NEAR(power(set["bound"], n), 2, 0.0003) << set["id"];
    }
}

// Error messages for invalid lines, with their positions.
TEST(Exercises, InvalidCaseIsRejectedWithPosition) {
    const auto problem_of = [](const std::string& text, const VerifyOptions& options = {}) -> std::string {
        try {
            verify_text(text, options);
        } catch (const ScenarioError& error) {
            return error.problems().front().text();
        }
        return "";
    };
    const std::string head =
        R"({"id":"x","policy":"rr","params":{"quantum":2},"jobs":{"arrival":[0],"length":[)";
    const std::string tail = R"(]},"schedule":[[0,3]],"response":[0],"turnaround":[3],"wait":[0]})";
    EXPECT_EQ(problem_of(head + "3" + tail), "");
    EXPECT_EQ(problem_of("\n" + head + "0" + tail),
              "test.jsonl:2:80: /jobs/length/0: expected a whole number from 1 to 10000");
    EXPECT_EQ(problem_of(head + "3,4" + tail),
              "test.jsonl:1:66: /jobs/arrival: expected one value for each element of \"length\"");
    EXPECT_EQ(problem_of(R"({"id":"x","policy":"rrr","params":{},"jobs":{}})"),
              "test.jsonl:1:20: /policy: unknown policy 'rrr'; expected one of fifo, sjf, rr, lottery, mlfq, "
              "multi");
    EXPECT_EQ(problem_of(R"({"id":"x","policy":"rr","params":{},"jobs":{"arrival":[0],"length":[1]}})"),
              "test.jsonl:1:34: /params: \"quantum\" is missing");
    EXPECT_EQ(problem_of(R"({"id":"x","policy":"rr","parms":{},"jobs":{}})"),
              "test.jsonl:1:33: /parms: unknown key 'parms'; did you mean 'params'?");
    EXPECT_EQ(problem_of(head + "3" + R"(]},"schedule":[[1,3]],"response":[0],"turnaround":[3],"wait":[0]})"),
              "test.jsonl:1:97: /schedule/0/0: expected a whole number from -1 to 0");
    EXPECT_EQ(problem_of(head + "3" + R"(]},"schedule":[[0,3]],"response":[],"turnaround":[3],"wait":[0]})"),
              "test.jsonl:1:114: /response: expected one value for each job");
    EXPECT_EQ(problem_of(head + "3" + tail, {.only = "mlfq"}), "test.jsonl: no case of 'mlfq' in this file");
    EXPECT_EQ(problem_of("{\n\"format\": \"tables/7\"}"),
              "test.jsonl:2:11: /format: expected \"switchyard-textbook-tables/1\"");
    EXPECT_EQ(problem_of(
                  "{\n\"format\": \"switchyard-textbook-tables/1\", \"tables\": [{\"id\": \"t\", \"policy\": "
                  "\"magic\", \"params\": {}, \"processes\": [{\"name\": \"A\", \"arrival\": 0, "
                  "\"service\": 1}]}]}"),
              "test.jsonl:2:76: /tables/0/policy: unknown policy 'magic'");
    EXPECT_EQ(problem_of("{\"policy\":\"linux-2.0\"}", {.only = "rr"}),
              "test.jsonl:1:1: --only selects exercises, but this file contains decisions");
}

TEST(Exercises, VerifyCommandGroupsCasesByPolicy) {
    const auto verify_with = [](std::vector<std::string> words) {
        words.insert(words.begin(),
                     {SWITCHYARD_BINARY, "verify", SWITCHYARD_SOURCE_DIR "/tests/textbook/ostep.jsonl"});
        return run_program(words, {.folder = ".", .input = {}, .environment = {}});
    };
    const Finished all = verify_with({"--format", "json"});
    EXPECT_EQ(all.exit_code, 0) << all.err;
    const Json entry = Json::parse(all.out)[0];
    EXPECT_EQ(entry["cases"], 321);
    EXPECT_EQ(entry["groups"].size(), 6u);
    EXPECT_EQ(entry["groups"][4]["name"], "mlfq");
    EXPECT_EQ(entry["groups"][4]["cases"], 62);
    const Finished own = verify_with({"--only", "sjf", "--policy", "fcfs"});
    EXPECT_EQ(own.exit_code, 1);
    EXPECT_NE(own.out.find("sjf  60 cases under fcfs: "), std::string::npos) << own.out;
    EXPECT_NE(own.out.find("first difference: "), std::string::npos) << own.out;
    EXPECT_EQ(verify_with({"--only", "none"}).exit_code, 2);
}

}  // namespace textbook_test
}  // namespace sim
