// Tests of Perfetto tables and chrome://tracing events, whose rows are intervals in which a task had a CPU.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/trace_io/import/reader.h"
#include "tests/support/event_sinks.h"
#include "tests/trace_io/trace_contents.h"

namespace sim {
namespace rows_test {

using namespace trace_io;
using trace_contents::in_words;
using trace_contents::TraceContents;

struct Rows {
    std::vector<std::string> lines, notes;
    Threads threads;
};

Rows rows_of(const std::string& text) {
    const TraceContents contents(text, "rows");
    return {contents.events.lines, in_words(contents.notes), contents.events.all};
}

std::string refusal(const std::string& text) {
    std::istringstream in(text);
    ContractSink sink;
    Notes notes;
    try {
        read_trace(in, "rows", sink, notes);
    } catch (const ScenarioError& error) {
        return error.problems().front().text();
    }
    return "";
}

// Two tasks on CPU 0; one of them sleeps and continues on CPU 1.
const std::vector<std::string> kOfSched = {"0 0 - sched_switch R A:5", "100 0 A:5 sched_switch S B:6",
                                           "200 1 - sched_switch R A:5", "250 0 B:6 sched_switch R+ -",
                                           "300 1 A:5 sched_switch X -"};

TEST(TraceTable, SchedRowsBecomeSwitches) {
    const std::vector<std::string> rows = {"1000,100,0,5,A,5,S,120", "1100,150,0,6,B,6,R+,100",
                                           "1200,100,1,5,A,5,X,120"};
    const auto table = [&](char separator, const char* end, const char* heading) {
        std::string text = std::string(heading) + end;
        for (const std::string& row : rows) text += row + end;
        for (char& c : text)
            if (c == ',') c = separator;
        return text;
    };
    const char* const heading = "ts,dur,cpu,tid,name,pid,end_state,priority";
    for (const char separator : {',', '\t', '|'})
        EXPECT_EQ(rows_of(table(separator, "\n", heading)).lines, kOfSched);
    EXPECT_EQ(rows_of(table(',', "\r\n",
                            "\"ts\",\"dur\",\"cpu\",\"tid\",\"name\",\"pid\",\"end_state\",\"priority\""))
                  .lines,
              kOfSched);
    const Rows read = rows_of(table(',', "\n", heading));
    EXPECT_TRUE(read.notes.empty());
    EXPECT_EQ(read.threads[2].prio, 100);
    // Columns may be in any order, and there may be further columns.
    EXPECT_EQ(rows_of("tid,id,cpu,end_state,dur,ts,thread_name\n5,1,0,S,100,1000,A\n6,2,0,R+,150,1100,B\n"
                      "5,3,1,X,100,1200,A\n")
                  .lines,
              kOfSched);
    EXPECT_EQ(rows_of(R"([{"ts": 1000, "dur": 100, "cpu": 0, "tid": 5, "name": "A", "end_state": "S"},
                          {"ts": "1100", "dur": 150.0, "cpu": 0, "tid": 6, "name": "B", "end_state": "R+"},
                          {"ts": 1200, "dur": 100, "cpu": 1, "tid": 5, "name": "A", "end_state": "X"}])")
                  .lines,
              kOfSched);
}

// Tables of thread_state also contain the waker.
TEST(TraceTable, ThreadStateRowsIncludeWakeUps) {
    const Rows read = rows_of(
        "ts|dur|cpu|state|tid|name|pid|priority|waker_tid|irq_context\n"
        "1000|100|0|Running|5|A|5|120|NULL|NULL\n"
        "1000|150|NULL|R|6|B|5|NULL|NULL|NULL\n"
        "1100|50|NULL|S|5|A|5|NULL|NULL|NULL\n"
        "1100|0|[NULL]|Running|7|C|7|NULL|NULL|NULL\n"  // no CPU
        "1150|100|0|Running|6|B|5|100|NULL|NULL\n"
        "1200|100|NULL|R|5|A|5|NULL|6|0\n"
        "1250|-1|NULL|R+|6|B|5|NULL|NULL|NULL\n"
        "1250|-1|0|Running|5|A|5|120|NULL|NULL\n"
        "1300|-1|NULL|R|8|D|8|NULL|5|1\n"
        "1300|-1|NULL|waiting|9|E|9|NULL|5|1\n");
    EXPECT_EQ(read.lines, (std::vector<std::string>{
                              "0 0 - sched_waking B:6 0 in_interrupt", "0 0 - sched_switch R A:5",
                              "100 0 A:5 sched_switch S -", "150 0 - sched_switch R B:6",
                              "200 0 B:6 sched_waking A:5 0", "250 0 B:6 sched_switch R+ A:5",
                              "300 0 A:5 sched_waking D:8 0 in_interrupt", "300 0 A:5 sched_switch R+ -"}));
    EXPECT_EQ(read.threads[1].tgid, 5);
    EXPECT_EQ(read.notes, (std::vector<std::string>{"1 event with missing or invalid fields [5]",
                                                    "1 event of another kind, ignored []"}));
}

TEST(TraceTable, ChromeStateEventsBecomeSwitches) {
    const Rows read = rows_of(R"({"traceEvents": [
        {"ph": "M", "name": "thread_name", "pid": 5, "tid": 5, "args": {"name": "A"}},
        {"ph": "T", "name": "Running", "ts": 1, "dur": 0.1, "pid": 5, "tid": 5, "args": {"cpu": 0}},
        {"ph": "T", "name": "S", "ts": 1.1, "dur": 0.1, "pid": 5, "tid": 5},
        {"ph": "X", "name": "something", "ts": 1.1, "dur": 0.1, "pid": 5, "tid": 5},
        {"ph": "T", "name": "Running", "ts": "1.1", "dur": 0.15, "pid": 6, "tid": 6, "args": {"cpu": 0}},
    ], "displayTimeUnit": "ns", "otherData": {"traceEvents": [1, 2]}})");
    EXPECT_EQ(read.lines,
              (std::vector<std::string>{"0 0 - sched_switch R A:5", "100 0 A:5 sched_switch S <...>:6",
                                        "250 0 <...>:6 sched_switch R+ -"}));
    EXPECT_EQ(read.notes, (std::vector<std::string>{"1 event of another kind, ignored []"}));
}

TEST(TraceTable, SystemTraceEventsAreReadAsFtrace) {
    const Rows read = rows_of(
        "{\"traceEvents\":[],\"systemTraceEvents\":\"# tracer: nop\\n A\\u00fc-5 [000] d..2. 1.000001: "
        "sched_switch: "
        "prev_comm=A\\u00fc prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=\\ud83d\\ude80 next_pid=6 "
        "next_prio=120\\nwhat is this\"}");
    EXPECT_EQ(read.lines, (std::vector<std::string>{"0 0 - sched_switch R A\u00fc:5",
                                                    "0 0 A\u00fc:5 sched_switch S \U0001f680:6",
                                                    "0 0 \U0001f680:6 sched_switch R+ -"}));
    EXPECT_EQ(read.notes, (std::vector<std::string>{"1 line that is not an event []"}));
}

TEST(TraceTable, TruncatedJsonIsReadPartly) {
    const std::string whole = R"([{"ts":1000,"dur":100,"cpu":0,"tid":5,"state":"Running"},
{"ts":1100,"dur":150,"cpu":0,"tid":6,"state":"Running"})";
    const Rows read = rows_of(whole);
    EXPECT_EQ(read.lines.size(), 3U);
    EXPECT_EQ(read.notes, (std::vector<std::string>{"1 list that ends too early [2]"}));
    EXPECT_EQ(rows_of(whole.substr(0, whole.size() - 3)).lines.size(), 2U);
}

TEST(TraceTable, InvalidTablesAreRefusedWithPosition) {
    EXPECT_EQ(refusal("ts,dur,utid\n1,2,3\n"),
              "rows:1:1: a table with ts and dur needs the columns ts, dur, cpu, tid, and state (of "
              "Perfetto's thread_state) or end_state (of sched); missing: cpu, tid, state or end_state");
    EXPECT_EQ(refusal("[{\"ts\": 1}\n  {\"ts\": 2}]"), "rows:2:3: invalid JSON: expected ',' or ']'");
    EXPECT_EQ(refusal("{\"traceEvents\": [}"), "rows:1:18: invalid JSON: expected a value");
    EXPECT_EQ(refusal("{\"traceEvents\": [{\"ts\": 1]]"), "rows:1:26: invalid JSON: expected '}'");
    EXPECT_EQ(refusal("{\"a\"; 1}"), "rows:1:5: invalid JSON: expected ':'");
    EXPECT_EQ(refusal("{\"systemTraceEvents\": \"\\u12g4\"}"),
              "rows:1:30: invalid JSON: expected four hexadecimal digits");
    EXPECT_EQ(refusal("[" + std::string(5000, '[')),
              "rows:1:1: no switch between tasks in any supported format; the file starts with "
              "'[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[...'");
    EXPECT_NE(refusal("[{\"a\":" + std::string(5000, '[')).find("nested more than 1000 levels deep"),
              std::string::npos);
    EXPECT_NE(refusal("{\"some\": \"thing\"}").find("no switch between tasks"), std::string::npos);
    EXPECT_NE(refusal("[]").find("no switch between tasks"), std::string::npos);
}

}  // namespace rows_test
}  // namespace sim
