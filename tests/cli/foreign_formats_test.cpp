// Formats of other tools: which of them are recognized, and by which command.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/foreign_traces.h"

namespace foreign_formats_test {

using namespace foreign_traces;

class ForeignFormats : public Fixture {
  protected:
    void expect_refused(const std::string& text, const std::string& advice) const {
        const std::string path = written(text);
        for (const char* command : {"import", "reschedule", "run", "compare", "check", "export"}) {
            const Finished f = switchyard({command, path});
            EXPECT_EQ(f.exit_code, 2) << command;
            EXPECT_EQ(f.out, "") << command;
            EXPECT_NE(f.err.find(advice), std::string::npos) << command << "\n" << f.err;
        }
    }
};

TEST_F(ForeignFormats, DifferencesOfTimesAreSkipped) {
    EXPECT_NE(output({"import", file("report_ts_diff.txt"), "--output", "made.json"}).find(" 2 switches "),
              std::string::npos);
    EXPECT_EQ(columns(file("report_ts_diff.txt")).at(0).at("all").at("cpu_ns"), 2 * kMilli);
}

TEST_F(ForeignFormats, PageWithViewerIsATrace) {
    const std::string path = file("systrace_viewer_first.html");
    EXPECT_EQ(remarks(path), "");
    EXPECT_EQ(tasks(path).size(), 2U);
    EXPECT_EQ(switchyard({"compare", path}).exit_code, 0);
    const Finished run = switchyard({"run", path});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("is a trace, not a scenario; convert it with 'switchyard import"),
              std::string::npos);
}

// Early versions of systrace.py write the trace as a string of JavaScript.
TEST_F(ForeignFormats, EscapedLinesOfPageAreRead) {
    std::string text =
        "<!DOCTYPE HTML>\n<html><script>\n  var linuxPerfData = \"\\\n# tracer: nop\\n\\\n#\\n\\\n";
    for (const std::string& one :
         lines_of(switch_of(0, 0, "<idle>-0", "R", "a-1") + switch_of(0, 2000, "a-1", "S", "swapper/0-0")))
        text += one + "\\n\\\n";
    const json all = tasks(written(text + "\";\n</script></html>\n"));
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.at(0).at("program").at(0).at("run"), "2ms");
}

TEST_F(ForeignFormats, KnownFormatsAreNamedWithAdvice) {
    expect_refused(
        content_of(SWITCHYARD_SOURCE_DIR "/tests/recordings/foreign/perf_timehist.txt"),
        "output of perf sched timehist, which has no task states: use the output of 'perf sched script'");
    expect_refused("  Task                  |   Runtime ms  | Switches | Avg delay ms    |\n",
                   "output of perf sched latency");
    expect_refused(
        "[10:15:02.123456789] (+0.000003021) host sched_switch: { cpu_id = 0 }, { prev_comm = \"a\" }\n",
        "text of babeltrace (LTTng)");
    expect_refused("/* CTF 1.8 */\n\ntrace {\n", "a trace of LTTng in CTF");
    expect_refused(std::string("\xc1\x1f\xfc\xc1") + "abc", "a trace of LTTng in CTF");
    expect_refused("capturing trace... done\nTRACE:\n\x78\x9c\x03",
                   "output of atrace -z, which is compressed");
    expect_refused(
        "  a 1 [000] 0.000000: sched:sched_waking: comm=b pid=2 prio=120 target_cpu=000\n"
        "  a 1 [000] 0.000300: sched:sched_waking: comm=b pid=2 prio=120 target_cpu=000\n"
        "  a 1 [000] 0.000002: sched:sched_waking: comm=b pid=2 prio=120 target_cpu=000\n",
        "output of perf script --deltatime, whose times are differences");
}

// perf script --reltime starts at 0, too, and a line may go back.
TEST_F(ForeignFormats, RelativeTimesAreRead) {
    std::string text;
    for (int n = 0; n < 20; ++n)
        text += fmt::format(
            "  {0} {1} [000] 0.0{2:02}000: sched:sched_switch: prev_comm={0} prev_pid={1} prev_prio=120 "
            "prev_state=S ==> next_comm={3} next_pid={4} next_prio=120\n",
            n % 2 == 0 ? "a" : "b", n % 2 + 1, n == 10 ? 8 : n, n % 2 == 0 ? "b" : "a", 2 - n % 2);
    EXPECT_EQ(tasks(written(text)).size(), 2U);
}

TEST_F(ForeignFormats, UnknownCompressionIsNamed) {
    using namespace std::string_literals;
    write_file(folder() / "trace.dat", "\x17\x08\x44tracing7\0\0\x08\0\x10\0\0lz4\0 1.9\0 and so on and on"s);
    EXPECT_NE(remarks("trace.dat").find("a trace.dat compressed with 'lz4', which trace-cmd cannot read"),
              std::string::npos);
}

TEST_F(ForeignFormats, DirectoryOfLttngIsNamed) {
    std::filesystem::create_directories(folder() / "lttng/kernel");
    write_file(folder() / "lttng/kernel/metadata", "/* CTF 1.8 */\n");
    for (const char* command : {"import", "run"})
        EXPECT_NE(switchyard({command, "lttng"}).err.find("a trace of LTTng in CTF"), std::string::npos)
            << command;
}

TEST_F(ForeignFormats, StandardInputIsRecognized) {
    const std::string trace =
        content_of(SWITCHYARD_SOURCE_DIR "/tests/recordings/foreign/late_first_switch.txt");
    const Finished run = switchyard({"run", "-"}, trace);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("standard input:1:1: a trace, not a scenario"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("'switchyard reschedule -'"), std::string::npos) << run.err;
    const Finished packed = switchyard({"run", "-"}, "\x1f\x8b\x08 and so on and on and on and on");
    EXPECT_NE(packed.err.find("compressed (gzip): unpack it first"), std::string::npos) << packed.err;
    EXPECT_EQ(packed.err.find("switchyard import"), std::string::npos) << packed.err;
}

// Chromium writes its metadata first.
TEST_F(ForeignFormats, LateTraceEventsAreFound) {
    std::string json_text =
        R"({"metadata": {"x": ")" + std::string(100'000, 'x') + R"("}, "traceEvents": []})";
    const Finished run = switchyard({"run", written(json_text)});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("is a trace, not a scenario"), std::string::npos) << run.err;
    const std::string late = R"({"tasks": [{"name": "a", "program": [{"run": "1ms"}]}], "title": ")" +
                             std::string(100, 'x') +
                             R"(", "machine": "ideal", "format": "switchyard-scenario/1"})";
    EXPECT_EQ(switchyard({"run", written(late)}).exit_code, 0);
}

TEST_F(ForeignFormats, RescheduleRecognizesAScenario) {
    output({"import", file("late_first_switch.txt"), "--quiet", "--output", "mine.json"});
    for (const char* command : {"reschedule", "import"}) {
        const Finished f = switchyard({command, "mine.json"});
        EXPECT_EQ(f.exit_code, 2);
        EXPECT_NE(
            f.err.find(
                "mine.json:1:1: a scenario, not a trace: run it with 'switchyard run mine.json', or compare "
                "schedulers with 'switchyard compare mine.json --policy linux-2.0'"),
            std::string::npos)
            << f.err;
    }
}

TEST_F(ForeignFormats, CompressedScenarioHasToBeUnpacked) {
    write_file(
        folder() / "made.json",
        R"({"format": "switchyard-scenario/1", "tasks": [{"name": "a", "program": [{"run": "1ms"}]}]})");
    ASSERT_EQ(std::system(("gzip -f '" + (folder() / "made.json").string() + "'").c_str()), 0);
    EXPECT_NE(switchyard({"run", "made.json.gz"}).err.find("is compressed (gzip): unpack it first"),
              std::string::npos);
    EXPECT_NE(
        switchyard({"import", "made.json.gz"}).err.find("a compressed scenario, not a trace: unpack it"),
        std::string::npos);
}

// What import refuses is not to be imported.
TEST_F(ForeignFormats, UnreadableFilesHaveTheSameAdviceEverywhere) {
    expect_refused("PK\x03\x04 and so on", "compressed (zip): unpack it first");
    expect_refused("{\"format\": \"switchyard-schedule/1\", \"cpus\": []}",
                   "an export in the format schedule, which cannot be read");
}

TEST_F(ForeignFormats, WorkloadOfRtAppIsRecognized) {
    for (const char* command : {"run", "check", "compare", "export", "sweep"}) {
        const Finished f = switchyard({command, file("rtapp_in_window.json")});
        EXPECT_EQ(f.exit_code, 2) << command;
        EXPECT_NE(f.err.find("an rt-app workload, not a scenario; convert it with 'switchyard import " +
                             file("rtapp_in_window.json") + " --output scenario.json'"),
                  std::string::npos)
            << command << "\n"
            << f.err;
    }
}

}  // namespace foreign_formats_test
