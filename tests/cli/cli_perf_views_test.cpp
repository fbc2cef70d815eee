// Tests of the perf views of `switchyard run --view`: exact output of counters and samples, and sampling in
// lockstep with a program.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/small_views.h"

namespace cli_perf_views_test {

using nlohmann::json;

class PerfViews : public SmallViews {
  protected:
    // The first task exits, so that the second one has the CPU to itself.
    std::string one_exits() const {
        return scenario(R"("until": "1500ms")", R"(
            {"name": "short", "program": [{"run": "300ms"}]},
            {"name": "long", "program": [{"loop": "forever", "steps": [{"run": "100ms"}, {"arrival": "400ms"}]}]})");
    }
};

struct Shares {
    double overhead = 0, truth = 0;
};

std::map<std::string, Shares> shares_of(const std::string& report) {
    static const std::regex row(R"( *([0-9.]+)% +(-?[0-9.]+)%  (\S+))");
    std::map<std::string, Shares> found;
    for (const std::string& line : lines_of(report))
        if (std::smatch m; std::regex_match(line, m, row)) found[m[3]] = {std::stod(m[1]), std::stod(m[2])};
    return found;
}

// --- perf stat ---

// Computed by hand: `short` runs from 0 to 200 ms and from 300 ms to 400 ms; `long` runs for 100 ms from
// 200 ms, 700 ms and 1200 ms. So there are one involuntary switch, three switches to sleep, one at exit
// (perf counts it only for the CPU), and three from the idle task.
TEST_F(PerfViews, PerfStatMatchesToolFormat) {
    EXPECT_EQ(view("perf-stat", {one_exits()}),
              "\n Performance counter stats for 'it':\n"
              "\n"
              "            600.00 msec task-clock                       #    0.400 CPUs utilized\n"
              "                 4      context-switches                 #    6.667 /sec\n"
              "                 0      cpu-migrations                   #    0.000 /sec\n"
              "                 4      raw_syscalls:sys_enter           #    6.667 /sec\n"
              "\n"
              "       1.500000000 seconds time elapsed\n"
              "\n"
              "       0.600000000 seconds user\n"
              "       0.000000000 seconds sys\n"
              "\n\n");
}

TEST_F(PerfViews, SystemWidePerfStatCountsCpuEvents) {
    EXPECT_EQ(view("perf-stat-a", {one_exits()}),
              "\n Performance counter stats for 'system wide':\n"
              "\n"
              "          1,500.00 msec cpu-clock                        #    1.000 CPUs utilized\n"
              "                 8      context-switches                 #    5.333 /sec\n"
              "                 0      cpu-migrations                   #    0.000 /sec\n"
              "                 4      raw_syscalls:sys_enter           #    2.667 /sec\n"
              "\n"
              "       1.500000000 seconds time elapsed\n"
              "\n");
}

TEST_F(PerfViews, PerfStatMatchesRunSummary) {
    for (const char* name : {"php-fpm", "goroutines", "web-server"}) {
        SCOPED_TRACE(name);
        const json s = json_output({"run", name, "--until", "2s"});
        const auto count = [&](const char* view_name, const char* event) {
            for (const std::string& line : lines_of(view(view_name, {name, "--until", "2s"}))) {
                const std::size_t at = line.find(event);
                if (at == std::string::npos) continue;
                std::string digits;
                for (const char c : line.substr(0, at))
                    if (c >= '0' && c <= '9') digits += c;
                return std::stoull(digits);
            }
            return 0ull;
        };
        const json& switches = s["switches"];
        std::uint64_t exits = 0;
        for (const json& wait : s["waits"])
            if (wait["kind"] == "exit") exits = wait["switches"];
        EXPECT_EQ(count("perf-stat", "context-switches"), switches["voluntary"].get<std::uint64_t>() - exits +
                                                              switches["involuntary"].get<std::uint64_t>());
        EXPECT_EQ(count("perf-stat-a", "context-switches"), switches["total"].get<std::uint64_t>());
        EXPECT_EQ(count("perf-stat", "cpu-migrations"), s["smp"]["migrations"].get<std::uint64_t>());
        EXPECT_EQ(count("perf-stat-a", "cpu-clock"),  // in hundredths of a millisecond
                  s["simulated_ns"].get<std::uint64_t>() * s["cpus"].get<std::uint64_t>() / 10'000);
    }
}

TEST_F(PerfViews, PerfStatMatchesInstalledPerf) {
    const Finished tool =
        shell("LC_ALL=C perf stat -e task-clock,context-switches,cpu-migrations,raw_syscalls:sys_enter true");
    const std::regex release("perf version 6\\.1\\b[^]*");
    if (tool.exit_code != 0 || !std::regex_match(shell("perf --version").out, release))
        GTEST_SKIP() << "there is no perf 6.1 here, or it may not count";
    // Ignores numbers, the spaces before them, and trailing spaces.
    const auto shape = [](const std::string& text) {
        Words lines;
        for (const std::string& line : lines_of(text)) {
            std::string shaped = std::regex_replace(line, std::regex("'.*'"), "''");
            shaped = std::regex_replace(shaped, std::regex(" *[0-9.,]+ ([KMG]?)/sec"), " N /sec");
            shaped = std::regex_replace(shaped, std::regex(" *[0-9][0-9.,]*"), " N");
            lines.push_back(std::regex_replace(shaped, std::regex(" +$"), ""));
        }
        return lines;
    };
    EXPECT_EQ(shape(view("perf-stat", {"two-hogs", "--until", "1s"})), shape(tool.err));
}

// --- perf record ---

// The player runs from 2 ms to 8 ms of every 10 ms. At 100 samples per second, every sample coincides with
// the start of a period. At 99 samples per second, each sample comes 101 us later within its period than
// the previous sample.
TEST_F(PerfViews, LockstepSamplingMissesPeriodicTask) {
    EXPECT_EQ(view("perf-record", {"lockstep-sampling", "--freq", "100"}),
              "# Samples: 1000  of event 'cpu-clock'\n"
              "# Event count (approx.): 10000000000\n"
              "#\n"
              "# Overhead       Truth  Command\n"
              "# ........  ..........  .......\n"
              "#\n"
              "   100.00%      40.00%  batch\n"
              "     0.00%      60.00%  player\n");
    EXPECT_EQ(view("perf-record", {"lockstep-sampling"}),
              "# Samples: 990  of event 'cpu-clock'\n"
              "# Event count (approx.): 9999999900\n"
              "#\n"
              "# Overhead       Truth  Command\n"
              "# ........  ..........  .......\n"
              "#\n"
              "    60.61%      60.00%  player\n"
              "    39.39%      40.00%  batch\n");
}

TEST_F(PerfViews, LockstepSamplesDependOnStartTime) {
    const auto shares =
        shares_of(view("perf-record", {"lockstep-sampling", "--freq", "100", "--set", "/tasks/0/start=5ms"}));
    EXPECT_EQ(shares.at("player").overhead, 100);
    EXPECT_EQ(shares.at("player").truth, 59.99);  // the end of the run cuts off the player's last interval
}

// A sample at the time of an event records the state before the event: the batch job at 2 ms, the player at
// 8 ms.
TEST_F(PerfViews, SampleSeesStateBeforeEvents) {
    const auto shares =
        shares_of(view("perf-record", {"lockstep-sampling", "--freq", "500", "--until", "10ms"}));
    EXPECT_EQ(shares.at("player").overhead, 60);  // 3 of 5 samples: those at 4, 6 and 8 ms
}

TEST_F(PerfViews, ManySamplesApproachTrueShares) {
    for (const char* name : {"web-server", "php-fpm", "goroutines", "recalc-storm"}) {
        SCOPED_TRACE(name);
        const auto shares = shares_of(view("perf-record", {name, "--until", "2s", "--freq", "9973"}));
        // Samples during interrupts and during stolen time are attributed to the interrupted task.
        const auto of = [&](const char* what) { return shares.contains(what) ? shares.at(what).truth : 0; };
        const double nobodys = of("(interrupts)") + of("(stolen)");
        EXPECT_EQ(nobodys > 5, std::string_view(name) == "php-fpm");
        double overhead = 0, truth = 0;
        for (const auto& [command, s] : shares) {
            if (!command.starts_with("(")) {
                EXPECT_GT(s.overhead, s.truth - 1.5) << command;
                EXPECT_LT(s.overhead, s.truth + nobodys + 1.5) << command;
            }
            overhead += s.overhead;
            truth += s.truth;
        }
        EXPECT_NEAR(overhead, 100, 0.005 * static_cast<double>(shares.size()) + 1e-6);
        EXPECT_NEAR(truth, 100, 0.005 * static_cast<double>(shares.size()) + 1e-6);
    }
}

TEST_F(PerfViews, TrueSharesMatchSummaryTimes) {
    for (const char* name : {"reclamation-ebr", "php-fpm"}) {
        SCOPED_TRACE(name);
        const json s = json_output({"run", name, "--until", "2s"});
        const double whole = s["cpus"].get<double>() * s["simulated_ns"].get<double>();
        std::map<std::string, double> percent;
        double rest = 100;
        const auto add = [&](const std::string& command, double used) {
            percent[command] += 100 * used / whole;
            rest -= 100 * used / whole;
        };
        for (const json& task : s["tasks"])
            add(std::regex_replace(task["name"].get<std::string>(), std::regex("\\.[0-9]+$"), ""),
                task["user_ns"].get<double>() + task["system_ns"].get<double>());
        for (const char* part : {"interrupts", "stolen"})
            add("(" + std::string(part) + ")", s["time_ns"][part].get<double>());
        percent["swapper"] = rest;
        for (const auto& [command, share] : shares_of(view("perf-record", {name, "--until", "2s"}))) {
            EXPECT_NEAR(share.truth, percent[command], 0.0051) << command;
            percent.erase(command);
        }
        for (const auto& [command, missing] : percent) EXPECT_EQ(missing, 0) << command;
    }
}

TEST_F(PerfViews, ExecChangesSampledCommandName) {
    const auto shares = shares_of(view("perf-record", {scenario(R"("until": "1s", "max_tasks": 2)", R"(
            {"name": "shell", "program": [{"fork": "child"}, {"arrival": "1h"}]},
            {"name": "child", "count": 0, "program": [{"run": "100ms"}, {"exec": "program"}]},
            {"name": "program", "count": 0, "program": [{"run": "300ms"}]})"),
                                                       "--freq", "1000"}));
    EXPECT_EQ(shares.at("child").truth, 10);
    EXPECT_EQ(shares.at("program").truth, 30);
    EXPECT_EQ(shares.at("swapper").truth, 60);
    EXPECT_EQ(shares.at("child").overhead, 10);
    EXPECT_EQ(shares.at("program").overhead, 30);
    EXPECT_FALSE(shares.contains("shell")) << "took no time and was never found";
}

TEST_F(PerfViews, FrequencyIsRejectedWithoutSampling) {
    expect_refused({"run", "lockstep-sampling", "--view", "vmstat", "--freq", "99"},
                   "--freq needs --view perf-record; vmstat takes no samples");
    expect_refused({"run", "lockstep-sampling", "--freq", "99"},
                   "--freq needs --view perf-record; --view is not specified");
    for (const char* bad : {"0", "100001", "-1", "often"})
        expect_refused({"run", "lockstep-sampling", "--view", "perf-record", "--freq", bad}, "--freq");
}

}  // namespace cli_perf_views_test
