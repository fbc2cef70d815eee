// Exported runs are read back: the events are the same, except for information that a format loses.
//
// csv loses whether a thread is a kernel thread, and everything before the first event. ftrace loses both,
// too. It also replaces spaces and '=' in names by '_', and loses the process of a thread that has not run
// yet. It has no prio for a forked thread until its wake-up, nor after an exec until the thread runs again.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/scenario/scenario_maker.h"
#include "sim/trace_io/tee_sink.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"
#include "tests/trace_io/builtin_run.h"
#include "tests/trace_io/recorded_events.h"
#include "tests/trace_io/trace_contents.h"

namespace sim {
namespace reader_round_trip_test {

using namespace trace_io;
using builtin_run::BuiltinRun;
using recorded_events::EventRecord;
using recorded_events::EventRecorder;
using trace_contents::TraceContents;

enum class Lossless : bool { no, yes };

// The event as a line, without the information that a format loses.
std::string in_words(const EventRecord& w, Lossless lossless) {
    const SchedEvent& e = w.event;
    const bool all = lossless == Lossless::yes;
    const auto name = [&](std::string text) {
        if (!all)
            std::replace_if(
                text.begin(), text.end(), [](char c) { return c == ' ' || c == '='; }, '_');
        return text;
    };
    const bool has_prio = all || e.kind == EventKind::sched_switch || e.kind == EventKind::exit;
    const bool thread_has_prio = all || e.kind != EventKind::fork;
    return fmt::format("{} {} {}: {} {} {} {}, {} {} {} {}, {} {} {} {} {}", e.time.count(), e.cpu,
                       to_string(e.kind), w.current.pid, w.current.tgid, name(w.current.name),
                       has_prio ? w.current.prio : 0, w.thread.pid, all ? w.thread.tgid : 0,
                       name(w.thread.name), thread_has_prio ? w.thread.prio : 0, prev_state_text(e.state),
                       e.in_interrupt, e.target, e.value, e.what);
}

// Exports the run of a built-in scenario. Returns the file in `format`. If `original` is not null, it
// receives the events.
std::string exported(const std::string& scenario_name, const ExportFormat& format, const Limits& limits,
                     Nanos from = {}, EventSink* original = nullptr) {
    BuiltinRun run(scenario_name);
    run.info.hz = run.scenario.machine.hz;
    run.info.machine = "\"pentium-mmx-200\"";
    run.info.begin = from;
    std::string text;
    const auto writer = format.make([&](std::string_view bytes) { text += bytes; });
    if (original == nullptr) {
        run.emit(limits, *writer);
    } else {
        TeeSink both(*writer, *original);
        run.emit(limits, both);
    }
    return text;
}

void write_and_read(const std::string& scenario_name, const ExportFormat& format, Nanos from,
                    EventRecorder& original, EventRecorder& read) {
    std::istringstream in(
        exported(scenario_name, format,
                 {.switches = rounds(2000U, 500U, 300U), .events = rounds(100'000U, 20'000U, 5'000U)}, from,
                 &original));
    Notes notes;
    read_trace(in, format.name, read, notes);
    EXPECT_TRUE(notes.notes().empty()) << notes.notes().front().what();
}

class RoundTripOf : public testing::TestWithParam<std::string> {
  protected:
    static void compare(const ExportFormat& format, Lossless lossless, Nanos from) {
        EventRecorder original, read;
        write_and_read(GetParam(), format, from, original, read);
        ASSERT_EQ(original.failure, "");
        ASSERT_EQ(read.failure, "");
        for (std::size_t e = 0; e < std::min(read.events.size(), original.events.size()); ++e)
            ASSERT_EQ(in_words(read.events[e], lossless), in_words(original.events[e], lossless)) << e;
        EXPECT_EQ(read.events.size(), original.events.size());
        EXPECT_EQ(read.last(), original.events.back().event.time);
        if (lossless == Lossless::no) {
            EXPECT_EQ(to_json(read.info), to_json(original.info));
        }
    }
};

TEST_P(RoundTripOf, CsvKeepsAllEvents) { compare(csv_format(), Lossless::yes, {}); }
TEST_P(RoundTripOf, FtraceKeepsEventsExceptKnownLosses) { compare(ftrace_format(), Lossless::no, {}); }
TEST_P(RoundTripOf, LaterStartKeepsEvents) {
    // The export starts at 300 us. All formats preserve the states of tasks that waited at that time, but
    // not of tasks that had never run. 300 us is early enough for the scenario that ends first
    // (park-unpark: 400 switches in 1 ms).
    compare(csv_format(), Lossless::yes, 300us);
    compare(ftrace_format(), Lossless::no, 300us);
}

INSTANTIATE_TEST_SUITE_P(Gallery, RoundTripOf, testing::ValuesIn(builtin_file_names("")), name_of_parameter);

// The format chrome preserves everything that the import needs for a scenario. Simultaneous events of the
// two parts of the file may change their order, but the events of each CPU do not.
TEST_P(RoundTripOf, ChromeBecomesTheSameScenarioAsFtrace) {
    std::string scenarios[2];
    for (const bool is_chrome : {false, true}) {
        std::istringstream in(
            exported(GetParam(), is_chrome ? chrome_format() : ftrace_format(),
                     {.switches = rounds(1000U, 300U, 100U), .events = rounds(50'000U, 10'000U, 3'000U)}));
        Notes notes;
        ScenarioMaker maker({}, notes);
        read_trace(in, "run", maker, notes);
        EXPECT_TRUE(is_chrome ? notes.notes().empty() : true) << notes.notes().front().what();
        maker.write([&](std::string_view piece) { scenarios[is_chrome ? 1 : 0] += piece; });
    }
    // If a system call of length 0 is at the end of the run, the reader places it after the end.
    if (GetParam() == "pipe-alone") return;
    EXPECT_EQ(scenarios[1], scenarios[0]);
}

// Names that a spreadsheet would evaluate, or that contain cell separators.
TEST(CsvNames, FormulasAreEscapedAndReadBack) {
    const char* const names[] = {"=1+1",
                                 "a;=b",
                                 "'=a",
                                 "-5",
                                 "say \"so\", twice",
                                 "@x",
                                 "it's",
                                 "+",
                                 ("\xef\xbc\x9d"
                                  "1")};
    std::string text;
    const auto writer = csv_format().make([&](std::string_view bytes) { text += bytes; });
    Threads threads{{.pid = 0, .name = "swapper", .is_kernel = true}};
    for (const char* name : names)
        threads.push_back({.pid = static_cast<std::int32_t>(threads.size()), .tgid = 1, .name = name});
    writer->begin({});
    ThreadId last = kIdleThread;
    for (ThreadId t = 1; t <= threads.size(); ++t) {
        const ThreadId next = t == threads.size() ? kIdleThread : t;
        writer->event({.time = Nanos{t}, .current = last, .thread = next}, threads);
        last = next;
    }
    writer->end({});
    const TraceContents contents(text, "names.csv");
    EXPECT_TRUE(contents.notes.notes().empty());
    const Threads& read = contents.events.all;
    ASSERT_EQ(read.size(), threads.size());
    for (ThreadId t = 1; t < threads.size(); ++t)
        EXPECT_EQ(read[t].name,
                  t == 3 ? "=a" : threads[t].name);  // looks like an escaped name
}

}  // namespace reader_round_trip_test
}  // namespace sim
