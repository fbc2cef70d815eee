// Tests of the views of system calls and of views of chosen processes: strace, pidstat -p and -C, perf record
// -p.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/small_views.h"

namespace cli_call_views_test {

using nlohmann::json;

class CallViews : public SmallViews {
  protected:
    // A system call costs 1 us, a futex operation another 2 us.
    std::string calls(const std::string& tasks) const {
        write_file(folder() / "calls.json",
                   R"({"format": "switchyard-scenario/1", "policy": "round-robin", "until": "1s",
                    "machine": {"costs": {"syscall": "1us", "futex": "2us"}}, "tasks": [)" +
                       tasks + "]}");
        return "calls.json";
    }
    // The first task waits for a lock, for a wake-up, and takes a stored wake-up.
    std::string locks() const {
        return calls(R"(
            {"name": "a", "program": [{"wait": "go"}, {"lock": "L"}, {"unlock": "L"}, {"run": "2ms"}, {"wait": "go"}]},
            {"name": "b", "program": [{"lock": "L"}, {"run": "1ms"}, {"wake": "go"}, {"arrival": "1ms"}, {"unlock": "L"},
                {"wake": "go"}]})");
    }
};

// --- strace ---

TEST_F(CallViews, StraceSummaryMatchesToolFormat) {
    EXPECT_EQ(view("strace-c", {locks()}),
              "% time     seconds  usecs/call     calls    errors syscall\n"
              "------ ----------- ----------- --------- --------- ----------------\n"
              " 90.91    0.000010           1         6         1 futex\n"
              "  9.09    0.000001           1         1           arrival\n"
              "------ ----------- ----------- --------- --------- ----------------\n"
              "100.00    0.000011           1         7         1 total\n");
}

TEST_F(CallViews, StraceLogShowsWaitsAndWakes) {
    EXPECT_EQ(
        view("strace-f", {locks()}),
        "[pid     1] 00:00:00.000000 futex(go, FUTEX_WAIT, 0, NULL <unfinished ...>\n"
        "[pid     2] 00:00:00.001001 futex(go, FUTEX_WAKE, 1) = 1\n"
        "[pid     1] 00:00:00.001002 <... futex resumed>) = 0\n"
        "[pid     1] 00:00:00.001003 futex(L, FUTEX_WAIT, 0, NULL <unfinished ...>\n"
        "[pid     2] 00:00:00.002002 futex(L, FUTEX_WAKE, 1) = 1\n"
        "[pid     2] 00:00:00.002005 futex(go, FUTEX_WAKE, 1) = 0\n"
        "[pid     2] 00:00:00.002006 +++ exited with 0 +++\n"
        "00:00:00.002006 <... futex resumed>)    = 0\n"
        "00:00:00.004007 futex(go, FUTEX_WAIT, 0, NULL) = -1 EAGAIN (Resource temporarily unavailable)\n"
        "00:00:00.004008 +++ exited with 0 +++\n");
}

TEST_F(CallViews, StraceSummaryMatchesInstalledStrace) {
    const Finished tool = shell("strace -c true");
    if (tool.exit_code != 0) GTEST_SKIP() << "there is no strace here, or it may not trace";
    const Words real = lines_of(tool.err), ours = lines_of(view("strace-c", {locks()}));
    ASSERT_GE(real.size(), 5u);
    EXPECT_EQ(ours[0], real[0]);
    EXPECT_EQ(ours[1], real[1]);
    EXPECT_EQ(ours.back().size(), real.back().size());
}

TEST_F(CallViews, StraceTimesMatchSystemTime) {
    for (const char* name : {"goroutines", "php-fpm"}) {
        const json s = json_output({"run", name, "--until", "1s"});
        std::int64_t system = 0;
        for (const json& task : s["tasks"]) system += task["system_ns"].get<std::int64_t>();
        const Words lines = lines_of(view("strace-c", {name, "--until", "1s"}));
        const double total = std::stod(lines.back().substr(7));
        EXPECT_LE(total, static_cast<double>(system) / 1e9 + 1e-6) << name;
        EXPECT_GT(total, 0.5 * static_cast<double>(system) / 1e9) << name;
    }
}

// A task that an intervention blocks sleeps in no call of its program.
TEST_F(CallViews, StraceSummaryOmitsBlocks) {
    const std::string tasks = R"({"name": "a", "program": [{"arrival": "1ms"}, {"run": "5ms"}]}])";
    const std::string expected = view("strace-c", {calls(tasks.substr(0, tasks.size() - 1))});
    EXPECT_NE(expected.find("0.000001"), std::string::npos) << expected;
    for (const char* block : {R"({"block": "a", "for": "1ms", "at": "3ms"})",
                              R"({"block": "a", "at": "3ms"}, {"wake": "a", "at": "9ms"})"})
        EXPECT_EQ(view("strace-c", {calls(tasks + R"(, "interventions": [)" + block)}), expected);
}

// A pipe call that is woken and waits again is one call; a lock is taken in user mode or by a new call.
TEST_F(CallViews, WokenPipeCallIsStillTheSameCall) {
    const std::string text = view("strace-c", {calls(R"(
        {"name": "reader", "count": 2, "program": [{"pipe_read": "P", "bytes": "1B"}]},
        {"name": "writer", "program": [{"run": "1ms"}, {"pipe_write": "P", "bytes": "1B"}, {"run": "1ms"},
            {"pipe_write": "P", "bytes": "1B"}]})")});
    EXPECT_NE(text.find("         2           read\n"), std::string::npos) << text;
    EXPECT_NE(text.find("         2           write\n"), std::string::npos) << text;
}

// --- pidstat -p and -C ---

TEST_F(CallViews, PidstatShowsChosenProcesses) {
    EXPECT_EQ(view("pidstat", {"two-hogs", "--until", "2s", "--pid", "2"}),
              "12:00:00 AM   UID       PID   cswch/s nvcswch/s  Command\n"
              "12:00:01 AM     0         2      0.00      2.00  hog.2\n"
              "12:00:02 AM     0         2      0.00      2.00  hog.2\n");
    EXPECT_EQ(lines_of(view("pidstat", {"two-hogs", "--until", "1s", "--pid", "1,2"})).size(), 3u);
    EXPECT_EQ(lines_of(view("pidstat", {"two-hogs", "--until", "1s", "--pid", "9"})).size(), 1u);
}

TEST_F(CallViews, ChosenProcessesAreShownWithoutActivity) {
    const std::string idle =
        scenario(R"("until": "2s")", R"({"name": "a", "start": "1500ms", "program": []})");
    EXPECT_EQ(lines_of(view("pidstat-u", {idle, "--interval", "1s"})).size(), 1u);
    EXPECT_EQ(view("pidstat", {idle, "--interval", "1s", "--pid", "1"}),
              "12:00:00 AM   UID       PID   cswch/s nvcswch/s  Command\n"
              "12:00:01 AM     0         1      0.00      0.00  a\n");
}

TEST_F(CallViews, PidstatShowsChosenNames) {
    EXPECT_EQ(view("pidstat-t", {"goroutines", "--until", "1s", "--comm", "work"}),
              "12:00:00 AM   UID      TGID       TID   cswch/s nvcswch/s  Command\n"
              "12:00:01 AM     0         1         2  33113.00      0.00  (main)__worker.1\n"
              "12:00:01 AM     0         -         3  33113.00      0.00  |__worker.2\n");
}

// --- perf record -p ---

// The timer runs only while the process runs, so samples are never in step with its period.
TEST_F(CallViews, PerfRecordOfProcessCountsItsTime) {
    EXPECT_EQ(view("perf-record", {"lockstep-sampling", "--freq", "100", "--pid", "1,2"}),
              "# Samples: 1000  of event 'cpu-clock'\n"
              "# Event count (approx.): 10000000000\n"
              "#\n"
              "# Overhead       Truth  Command\n"
              "# ........  ..........  .......\n"
              "#\n"
              "    60.00%      60.00%  player\n"
              "    40.00%      40.00%  batch\n");
}

// A child inherits the event; its own timer starts at its fork. 95 ms at 10 ms each are 9 samples.
TEST_F(CallViews, ForkedChildIsSampledWithParent) {
    const std::string text = view("perf-record", {scenario(R"("until": "1s", "max_tasks": 3)", R"(
            {"name": "shell", "program": [{"fork": "child"}, {"run": "25ms"}, {"arrival": "1h"}]},
            {"name": "child", "count": 0, "program": [{"run": "95ms"}]},
            {"name": "other", "program": [{"run": "1h"}]})"),
                                                  "--freq", "100", "--pid", "1"});
    EXPECT_TRUE(text.starts_with("# Samples: 11  of event")) << text;
    EXPECT_NE(text.find("    81.82%      79.17%  child\n    18.18%      20.83%  shell\n"), std::string::npos)
        << text;
    EXPECT_EQ(text.find("other"), std::string::npos);
}

TEST_F(CallViews, ChoiceIsRejectedWhereItDoesNotApply) {
    expect_refused(
        {"run", "two-hogs", "--view", "sar", "--pid", "1"},
        "--pid needs --view perf-record, pidstat, pidstat-t, pidstat-u, pidstat-ut; sar shows all tasks");
    expect_refused(
        {"run", "two-hogs", "--view", "perf-record", "--comm", "hog"},
        "--comm needs --view pidstat, pidstat-t, pidstat-u, pidstat-ut; perf-record shows all tasks");
    expect_refused({"run", "two-hogs", "--pid", "1"}, "--view is not specified");
    expect_refused({"run", "two-hogs", "--view", "perf-record", "--pid", "7"}, "there is no process 7");
    for (const char* bad : {"x", "1,", ",1", "1 2", "-1", "99999999999"})
        expect_refused({"run", "two-hogs", "--view", "pidstat", std::string("--pid=") + bad}, "--pid");
}

}  // namespace cli_call_views_test
