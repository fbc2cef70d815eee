// Traces of a real kernel: all forms in which the tools print a trace contain the same events.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/trace_io/trace_contents.h"

namespace sim {
namespace recordings_test {

using namespace trace_io;

struct Read {
    std::vector<std::string> lines;
    std::uint64_t switches = 0, events = 0;
    Threads threads;
    std::vector<std::string> notes;
};

Read read_file(const std::string& name) {
    std::ifstream in(SWITCHYARD_SOURCE_DIR "/tests/recordings/" + name);
    const trace_contents::TraceContents contents(in, name);
    const EventTextSink& events = contents.events;
    Read read{events.lines, events.switches, events.events, events.all, {}};
    for (const Notes::Note& note : contents.notes.notes()) read.notes.push_back(note.what());
    return read;
}

// Returns the lines without the information that a form of the trace lacks: the texts `parts`, such as "
// in_interrupt"; also the times, if `with_times` is false.
std::vector<std::string> without(std::vector<std::string> lines, const std::vector<std::string>& parts,
                                 bool with_times) {
    for (std::string& line : lines) {
        if (!with_times) line.erase(0, line.find(' ') + 1);
        for (const std::string& part : parts)
            if (const std::size_t at = line.find(part); at != std::string::npos) line.erase(at, part.size());
    }
    return lines;
}

TEST(KernelTraces, AllFormsContainSameEvents) {
    const Read tracefs = read_file("tracefs.txt");
    EXPECT_GT(tracefs.switches, 20u);
    EXPECT_EQ(std::count_if(tracefs.lines.begin(), tracefs.lines.end(),
                            [](const std::string& l) { return l.ends_with(" sched_yield"); }),
              16);
    // The raw form and the form printed with plugins differ only in the states of preempted and zombie
    // threads.
    EXPECT_EQ(without(read_file("trace-cmd-N.txt").lines, {" in_interrupt"}, true),
              without(tracefs.lines, {" in_interrupt"}, true));
    EXPECT_EQ(without(read_file("trace-cmd-R.txt").lines, {" in_interrupt"}, true),
              without(tracefs.lines, {" in_interrupt"}, true));
    EXPECT_EQ(without(read_file("trace-cmd.txt").lines, {" in_interrupt", "+"}, true),
              without(tracefs.lines, {" in_interrupt", "+"}, true));
    EXPECT_EQ(without(read_file("trace-cmd-t.txt").lines, {" in_interrupt", "+"}, false),
              without(tracefs.lines, {" in_interrupt", "+"}, false));
    EXPECT_EQ(read_file("tracefs-latency.txt").lines.size(), tracefs.lines.size());
    EXPECT_EQ(read_file("trace-cmd-l.txt").lines.size(), tracefs.lines.size());
}

// Traces of perf are not included, because they start at a different time on each CPU.
TEST(KernelTraces, CauseNoUnexpectedNotes) {
    for (const char* name : {"tracefs.txt", "tracefs-latency.txt", "trace-cmd-N.txt", "trace-cmd-R.txt"})
        for (const std::string& note : read_file(name).notes)
            EXPECT_EQ(note, "events of other kinds, ignored") << name;
}

TEST(KernelTraces, YieldThreadsHaveOwnProcess) {
    for (const char* name : {"tracefs.txt", "perf-script-ns.txt"}) {
        std::vector<std::string> names;
        for (const Thread& t : read_file(name).threads) {
            names.push_back(t.name);
            if (t.name.starts_with("yield ")) {
                EXPECT_EQ(t.tgid, t.pid) << name;
            }
        }
        EXPECT_EQ(std::count(names.begin(), names.end(), "yield 0"), 1) << name;
        EXPECT_EQ(std::count(names.begin(), names.end(), "yield 1"), 1) << name;
    }
}

}  // namespace recordings_test
}  // namespace sim
