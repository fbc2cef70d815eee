// Tests of the process views of `switchyard run --view`: exact output of pidstat and /proc, and whether a
// value belongs to the process or to a thread.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/small_views.h"

namespace cli_process_views_test {

using nlohmann::json;

constexpr const char* kSwitches = "12:00:00 AM   UID       PID   cswch/s nvcswch/s  Command\n";
constexpr const char* kThreadSwitches =
    "12:00:00 AM   UID      TGID       TID   cswch/s nvcswch/s  Command\n";
constexpr const char* kCpu =
    "12:00:00 AM   UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n";
constexpr const char* kThreadCpu =
    "12:00:00 AM   UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n";

class ProcessViews : public SmallViews {
  protected:
    // Two processes. The first process has three threads from two task groups, and its leader sleeps. Tasks
    // wait for the CPU only at the start, when main, gc.1, gc.2 and shell run one after the other.
    std::string threads() const {
        return scenario(R"("until": "2s")", R"(
            {"name": "main", "mm": "jvm", "program": [{"arrival": "1h"}]},
            {"name": "gc", "count": 2, "mm": "jvm",
                "program": [{"loop": "forever", "steps": [{"run": "10ms"}, {"arrival": "90ms"}]}]},
            {"name": "shell", "program": [{"loop": "forever", "steps": [{"run": "5ms"}, {"arrival": "245ms"}]}]})");
    }

    // The leader runs from 0 to 30 ms and from 500 ms to 520 ms, then exits.
    std::string leader_exits() const {
        return scenario(R"("until": "2s")", R"(
            {"name": "main", "mm": "p", "program": [{"run": "30ms"}, {"arrival": "470ms"}, {"run": "20ms"}]},
            {"name": "worker", "mm": "p",
                "program": [{"loop": "forever", "steps": [{"run": "10ms"}, {"arrival": "190ms"}]}]})");
    }

    // Returns the Tgid of each task in the view proc-task-status, by the task's name.
    std::map<std::string, std::string> tgids(const std::string& file) const {
        std::map<std::string, std::string> found;
        std::string name;
        for (const std::string& line : lines_of(view("proc-task-status", {file}))) {
            if (line.starts_with("Name:\t")) name = line.substr(6);
            if (line.starts_with("Tgid:\t")) found[name] = line.substr(6);
        }
        return found;
    }
};

using Tgids = std::map<std::string, std::string>;

Words columns_of(const std::string& line) {
    std::istringstream in(line);
    return {std::istream_iterator<std::string>(in), {}};
}

// --- grouping of threads into processes ---

TEST_F(ProcessViews, TasksWithSharedAddressSpaceAreThreads) {
    EXPECT_EQ(tgids(threads()), (Tgids{{"main", "1"}, {"gc.1", "1"}, {"gc.2", "1"}, {"shell", "4"}}));
}

TEST_F(ProcessViews, KernelThreadIsSeparateProcess) {
    EXPECT_EQ(tgids(scenario(R"("until": "1s")",
                             R"({"name": "k", "count": 2, "mm": null, "program": [{"arrival": "1h"}]})")),
              (Tgids{{"k.1", "1"}, {"k.2", "2"}}));
}

TEST_F(ProcessViews, ForkSharingAddressSpaceMakesThread) {
    EXPECT_EQ(tgids(scenario(R"("until": "1s", "max_tasks": 4)", R"(
                  {"name": "parent", "mm": "p",
                      "program": [{"fork": "process"}, {"fork": "thread"}, {"fork": "thread"}, {"arrival": "1h"}]},
                  {"name": "process", "count": 0, "program": [{"arrival": "1h"}]},
                  {"name": "thread", "count": 0, "mm": "p", "program": [{"arrival": "1h"}]})")),
              (Tgids{{"parent", "1"}, {"process.2", "2"}, {"thread.3", "1"}, {"thread.4", "1"}}));
}

// Like a child of vfork(), which shares its parent's address space until exec.
TEST_F(ProcessViews, ExecMakesSeparateProcess) {
    const std::string file = scenario(R"("until": "2s", "max_tasks": 2)", R"(
        {"name": "shell", "mm": "p", "program": [{"fork": "child"}, {"arrival": "1h"}]},
        {"name": "child", "count": 0, "mm": "p", "program": [{"run": "100ms"}, {"arrival": "1400ms"}, {"exec": "ls"}]},
        {"name": "ls", "count": 0, "program": [{"run": "50ms"}, {"arrival": "1h"}]})");
    EXPECT_EQ(tgids(file), (Tgids{{"shell", "1"}, {"ls.2", "2"}}));
    // CPU time before the exec is not counted again.
    EXPECT_EQ(view("pidstat-u", {file}),
              std::string(kCpu) +
                  "12:00:01 AM     0         1   10.00    0.00    0.00    0.00   10.00     0  shell\n"
                  "12:00:02 AM     0         2    5.00    0.00    0.00    0.00    5.00     0  ls.2\n");
}

TEST_F(ProcessViews, LeaderExecPromotesNextThread) {
    EXPECT_EQ(tgids(scenario(R"("until": "1s")", R"(
                  {"name": "main", "mm": "p", "program": [{"exec": "ls"}]},
                  {"name": "worker", "count": 2, "mm": "p", "program": [{"arrival": "1h"}]},
                  {"name": "ls", "count": 0, "program": [{"arrival": "1h"}]})")),
              (Tgids{{"ls.1", "1"}, {"worker.1", "2"}, {"worker.2", "2"}}));
}

TEST_F(ProcessViews, ReusedAddressSpaceIsNewProcess) {
    const std::string file = scenario(R"("until": "2s", "max_tasks": 2)", R"(
        {"name": "parent", "program": [{"loop": "forever", "steps": [{"fork": "child"}, {"arrival": "1s"}]}]},
        {"name": "child", "count": 0, "mm": "p", "program": [{"run": "1ms"}, {"arrival": "300ms"}]})");
    EXPECT_EQ(view("pidstat-u", {file, "--interval", "250ms"}),
              std::string(kCpu) +
                  "12:00:00 AM     0         2    0.40    0.00    0.00    0.00    0.40     0  child.2\n"
                  "12:00:01 AM     0         3    0.40    0.00    0.00    0.00    0.40     0  child.3\n");
}

// --- a process and its threads ---

TEST_F(ProcessViews, PidstatShowsLeaderSwitchesForProcess) {
    EXPECT_EQ(view("pidstat", {threads()}), std::string(kSwitches) +
                                                "12:00:01 AM     0         1      1.00      0.00  main\n"
                                                "12:00:01 AM     0         4      4.00      0.00  shell\n"
                                                "12:00:02 AM     0         4      4.00      0.00  shell\n");
}

// Like sysstat 12.6: if the process has no line, its first thread with a line represents it.
TEST_F(ProcessViews, ThreadPidstatListsSwitchingThreads) {
    EXPECT_EQ(view("pidstat-t", {threads()}),
              std::string(kThreadSwitches) +
                  "12:00:01 AM     0         1         -      1.00      0.00  main\n"
                  "12:00:01 AM     0         -         1      1.00      0.00  |__main\n"
                  "12:00:01 AM     0         -         2     10.00      0.00  |__gc.1\n"
                  "12:00:01 AM     0         -         3     10.00      0.00  |__gc.2\n"
                  "12:00:01 AM     0         4         -      4.00      0.00  shell\n"
                  "12:00:01 AM     0         -         4      4.00      0.00  |__shell\n"
                  "12:00:02 AM     0         1         2     10.00      0.00  (main)__gc.1\n"
                  "12:00:02 AM     0         -         3     10.00      0.00  |__gc.2\n"
                  "12:00:02 AM     0         4         -      4.00      0.00  shell\n"
                  "12:00:02 AM     0         -         4      4.00      0.00  |__shell\n");
}

TEST_F(ProcessViews, PidstatSumsThreadTimeWithoutWaiting) {
    EXPECT_EQ(view("pidstat-u", {threads(), "--until", "1s"}),
              std::string(kCpu) +
                  "12:00:01 AM     0         1   20.00    0.00    0.00    0.00   20.00     0  main\n"
                  "12:00:01 AM     0         4    2.00    0.00    0.00    2.00    2.00     0  shell\n");
    EXPECT_EQ(
        view("pidstat-ut", {threads(), "--until", "1s"}),
        std::string(kThreadCpu) +
            "12:00:01 AM     0         1         -   20.00    0.00    0.00    0.00   20.00     0  main\n"
            "12:00:01 AM     0         -         2   10.00    0.00    0.00    0.00   10.00     0  |__gc.1\n"
            "12:00:01 AM     0         -         3   10.00    0.00    0.00    1.00   10.00     0  |__gc.2\n"
            "12:00:01 AM     0         4         -    2.00    0.00    0.00    2.00    2.00     0  shell\n"
            "12:00:01 AM     0         -         4    2.00    0.00    0.00    2.00    2.00     0  "
            "|__shell\n");
}

TEST_F(ProcessViews, ExitedLeaderRemainsAsZombie) {
    EXPECT_EQ(view("pidstat", {leader_exits()}),
              std::string(kSwitches) + "12:00:01 AM     0         1      2.00      0.00  main\n");
    EXPECT_EQ(view("pidstat-t", {leader_exits()}),
              std::string(kThreadSwitches) +
                  "12:00:01 AM     0         1         -      2.00      0.00  main\n"
                  "12:00:01 AM     0         -         1      2.00      0.00  |__main\n"
                  "12:00:01 AM     0         -         2      5.00      0.00  |__worker\n"
                  "12:00:02 AM     0         1         2      5.00      0.00  (main)__worker\n");
    // The CPU time of the exited leader still belongs to the process.
    EXPECT_EQ(view("pidstat-u", {leader_exits()}),
              std::string(kCpu) +
                  "12:00:01 AM     0         1   10.00    0.00    0.00    0.00   10.00     0  main\n"
                  "12:00:02 AM     0         1    5.00    0.00    0.00    0.00    5.00     0  main\n");
    EXPECT_EQ(view("proc-task-status", {leader_exits(), "--until", "1s"}),
              "Name:\tmain\n"
              "State:\tZ (zombie)\n"
              "Tgid:\t1\n"
              "Pid:\t1\n"
              "Threads:\t2\n"
              "voluntary_ctxt_switches:\t2\n"
              "nonvoluntary_ctxt_switches:\t0\n"
              "\n"
              "Name:\tworker\n"
              "State:\tS (sleeping)\n"
              "Tgid:\t1\n"
              "Pid:\t2\n"
              "Threads:\t2\n"
              "voluntary_ctxt_switches:\t5\n"
              "nonvoluntary_ctxt_switches:\t0\n");
}

TEST_F(ProcessViews, ExitedThreadTimeStaysWithProcess) {
    const std::string file = scenario(R"("until": "1s")", R"(
        {"name": "main", "mm": "p", "program": [{"arrival": "1h"}]},
        {"name": "worker", "count": 2, "mm": "p", "program": [{"run": "100ms"}]})");
    EXPECT_EQ(
        view("pidstat-ut", {file}),
        std::string(kThreadCpu) +
            "12:00:01 AM     0         1         -   20.00    0.00    0.00    0.00   20.00     0  main\n");
    EXPECT_EQ(view("proc-task-status", {file}),
              "Name:\tmain\n"
              "State:\tS (sleeping)\n"
              "Tgid:\t1\n"
              "Pid:\t1\n"
              "Threads:\t1\n"
              "voluntary_ctxt_switches:\t1\n"
              "nonvoluntary_ctxt_switches:\t0\n");
}

TEST_F(ProcessViews, ExitedProcessDisappears) {
    EXPECT_EQ(view("proc-status", {scenario(R"("until": "1s")", R"(
                  {"name": "main", "mm": "p", "program": [{"run": "1ms"}]},
                  {"name": "worker", "mm": "p", "program": [{"run": "2ms"}]},
                  {"name": "other", "program": [{"arrival": "1h"}]})")}),
              "Name:\tother\n"
              "State:\tS (sleeping)\n"
              "Tgid:\t3\n"
              "Pid:\t3\n"
              "Threads:\t1\n"
              "voluntary_ctxt_switches:\t1\n"
              "nonvoluntary_ctxt_switches:\t0\n");
}

// A kernel counts switches per thread and shows the counts in a file for each thread: for example, 19
// switches of a leader, and 1,285 of another thread of the same process.
TEST_F(ProcessViews, ProcStatusShowsLeaderSwitchesOnly) {
    EXPECT_EQ(view("proc-status", {threads(), "--until", "1s"}),
              "Name:\tmain\n"
              "State:\tS (sleeping)\n"
              "Tgid:\t1\n"
              "Pid:\t1\n"
              "Threads:\t3\n"
              "voluntary_ctxt_switches:\t1\n"
              "nonvoluntary_ctxt_switches:\t0\n"
              "\n"
              "Name:\tshell\n"
              "State:\tS (sleeping)\n"
              "Tgid:\t4\n"
              "Pid:\t4\n"
              "Threads:\t1\n"
              "voluntary_ctxt_switches:\t4\n"
              "nonvoluntary_ctxt_switches:\t0\n");
}

// --- the values are those of the run ---

TEST_F(ProcessViews, PidstatSumsMatchTaskSwitches) {
    for (const char* name : {"interactive-vs-hog", "web-server"}) {
        SCOPED_TRACE(name);
        const std::string text = view("pidstat", {name, "--until", "12s"});
        const Words lines = lines_of(text);
        ASSERT_GT(lines.size(), 10u) << text;
        EXPECT_TRUE(text.starts_with(kSwitches)) << text;
        const std::regex row(
            "12:00:([0-9]{2}) AM     0 {1,9}([0-9]+) +([0-9]+\\.[0-9]{2}) +([0-9]+\\.[0-9]{2})  (\\S+)");
        std::map<std::string, std::pair<double, double>> switches;
        for (std::size_t i = 1; i < lines.size(); ++i) {
            std::smatch match;
            ASSERT_TRUE(std::regex_match(lines[i], match, row)) << lines[i];
            EXPECT_EQ(lines[i].find(match[5]), lines[0].find("Command")) << lines[i];
            switches[match[5]].first += std::stod(match[3]);
            switches[match[5]].second += std::stod(match[4]);
            EXPECT_GT(std::stod(match[3]) + std::stod(match[4]), 0) << lines[i];
        }
        std::size_t busy = 0;
        const json summary = json_output({"run", name, "--until", "12s"});
        for (const json& task : summary["tasks"]) {
            if (task["voluntary"] == 0 && task["involuntary"] == 0) continue;
            ++busy;
            const auto& [voluntary, involuntary] = switches[task["name"]];
            EXPECT_NEAR(voluntary, task["voluntary"].get<double>(), 1e-6) << task;
            EXPECT_NEAR(involuntary, task["involuntary"].get<double>(), 1e-6) << task;
        }
        EXPECT_EQ(switches.size(), busy);
    }
}

TEST_F(ProcessViews, ThreadPidstatSumsMatchTasks) {
    for (const char* name : {"reclamation-ebr", "park-unpark", "goroutines"}) {
        SCOPED_TRACE(name);
        const auto by_thread = [&](const char* tool, std::size_t column) {
            std::map<std::string, double> sums;
            for (const std::string& line : lines_of(view(tool, {name, "--until", "1s"}))) {
                const Words row = columns_of(line);
                if (row[4] == "-" || row[4] == "TID") continue;
                sums[row.back().substr(row.back().find("__") + 2)] += std::stod(row[column]);
            }
            return sums;
        };
        auto voluntary = by_thread("pidstat-t", 5), involuntary = by_thread("pidstat-t", 6);
        auto user = by_thread("pidstat-ut", 5), system = by_thread("pidstat-ut", 6),
             wait = by_thread("pidstat-ut", 8);
        const json run = json_output({"run", name, "--until", "1s"});
        for (const json& task : run["tasks"]) {
            const std::string thread = task["name"];
            EXPECT_NEAR(voluntary[thread], task["voluntary"].get<double>(), 0.006) << task;
            EXPECT_NEAR(involuntary[thread], task["involuntary"].get<double>(), 0.006) << task;
            EXPECT_NEAR(user[thread] * 1e7, task["user_ns"].get<double>(), 0.006e7) << task;
            EXPECT_NEAR(system[thread] * 1e7, task["system_ns"].get<double>(), 0.006e7) << task;
            EXPECT_NEAR(wait[thread] * 1e7, task["ready_ns"].get<double>(), 0.006e7) << task;
        }
    }
}

// Thousands of short-lived threads.
TEST_F(ProcessViews, PidstatIncludesExitedThreadTimes) {
    const std::string pidstat = view("pidstat-u", {"create-thread", "--until", "5s", "--interval", "5s"});
    const std::string perf = view("perf-stat", {"create-thread", "--until", "5s"});
    double percent = 0;
    for (const std::string& line : lines_of(pidstat))
        if (!line.ends_with("Command")) percent += std::stod(columns_of(line).at(8));
    std::smatch clock;
    ASSERT_TRUE(std::regex_search(perf, clock, std::regex("([0-9,.]+) msec task-clock"))) << perf;
    const double milliseconds = std::stod(std::regex_replace(clock[1].str(), std::regex(","), ""));
    EXPECT_GT(milliseconds, 1000);
    EXPECT_NEAR(percent / 100 * 5000, milliseconds, 5) << pidstat << perf;
}

TEST_F(ProcessViews, PidstatRestartsCountsInReusedRow) {
    // Each second one child is forked, always in the same row. Each child has slept five times by the
    // middle of its second.
    const std::string file = scenario(R"("until": "4s", "max_tasks": 2)", R"(
        {"name": "parent", "program": [{"loop": "forever", "steps": [{"fork": "child"}, {"arrival": "1s"}]}]},
        {"name": "child", "count": 0, "program": [{"loop": 4, "steps": [{"arrival": "1ms"}]}, {"arrival": "600ms"}]})");
    std::size_t children = 0;
    const std::string text = view("pidstat", {file, "--interval", "500ms"});
    for (const std::string& line : lines_of(text)) {
        if (line.find("child") == std::string::npos) continue;
        ++children;
        EXPECT_EQ(columns_of(line).at(4), "10.00") << line;
    }
    EXPECT_EQ(children, 4u) << text;
}

TEST_F(ProcessViews, ProcTaskStatusMatchesSummarySwitches) {
    const json s = json_output({"run", "web-server", "--until", "12s"});
    std::string expected;
    for (const json& task : s["tasks"]) {
        const std::string state = task["state"];
        expected += fmt::format(
            "{}Name:\t{}\nState:\t{}\nTgid:\t{}\nPid:\t{}\nThreads:\t1\nvoluntary_ctxt_switches:\t{}\n"
            "nonvoluntary_ctxt_switches:\t{}\n",
            expected.empty() ? "" : "\n", task["name"].get<std::string>(),
            state == "running" || state == "ready" ? "R (running)" : "S (sleeping)", task["pid"].get<int>(),
            task["pid"].get<int>(), task["voluntary"].get<int>(), task["involuntary"].get<int>());
    }
    EXPECT_EQ(view("proc-task-status", {"web-server", "--until", "12s"}), expected);
    EXPECT_EQ(view("proc-status", {"web-server", "--until", "12s"}), expected) << "nobody there has threads";
}

}  // namespace cli_process_views_test
