// Tests of the chrome://tracing writer: the JSON is valid and complete. It contains ftrace lines in one
// string, and other events as objects.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/trace_io/export/ftrace_line.h"
#include "tests/support/test_name.h"
#include "tests/trace_io/recorded_events.h"

namespace sim {
namespace chrome_writer_test {

using namespace trace_io;
using recorded_events::EventRecord;
using recorded_events::EventsOfRun;

constexpr std::int64_t kWork = 4194304;

// Converts microseconds with three decimals.
std::int64_t nanos(double micros) { return static_cast<std::int64_t>(micros * 1000 + 0.5); }

// Returns all lines except comments. They include sched_waking lines, which only viewers need, and lines of
// system calls, which are needed to import the file.
std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        if (text[at] != '#') lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::vector<std::string> expected_lines(const EventsOfRun& run) {
    std::vector<std::string> lines;
    for (const EventRecord& record : run.events) {
        if (!has_tracepoint(record.event.kind) && record.event.kind != EventKind::yield) continue;
        Threads threads{{.name = "swapper"}, record.current, record.thread};
        SchedEvent e = record.event;
        e.current = e.current == kIdleThread ? kIdleThread : 1;
        e.thread = e.thread == kIdleThread ? kIdleThread : 2;
        const auto add = [&] {
            lines.emplace_back();
            print_ftrace_context(lines.back(), e, threads);
            if (e.kind == EventKind::yield)
                lines.back() += "sys_enter_sched_yield: ";
            else
                print_ftrace_event(lines.back(), e, threads);
        };
        if (e.kind == EventKind::wakeup_new) {
            e.kind = EventKind::waking;
            add();
            e.kind = EventKind::wakeup_new;
        }
        add();
    }
    return lines;
}

// The expected events that are not ftrace lines, as text.
std::vector<std::string> expected_events(const EventsOfRun& run) {
    std::vector<std::string> events;
    for (const EventRecord& record : run.events) {
        const SchedEvent& e = record.event;
        const std::int64_t time = e.time.count(), cpu = kWork + e.cpu;
        switch (e.kind) {
            case EventKind::yield:
                events.push_back(
                    fmt::format("{} i {} {} sched_yield", time, record.current.tgid, record.current.pid));
                break;
            case EventKind::recalculation:
                events.push_back(
                    fmt::format("{} i {} {} recalculation of {} counters", time, kWork, cpu, e.value));
                break;
            case EventKind::work_begin:
                events.push_back(fmt::format("{} B {} {} {}", time, kWork, cpu, e.what));
                break;
            case EventKind::work_end:
                events.push_back(fmt::format("{} E {} {} ", time, kWork, cpu));
                break;
            case EventKind::queue_length:
                events.push_back(fmt::format("{} C {} {} nr_running {}", time, kWork, kWork, e.value));
                break;
            default:
                break;
        }
    }
    return events;
}

class ChromeOf : public testing::TestWithParam<std::string> {};

TEST_P(ChromeOf, HasEveryEmittedEvent) {
    const EventsOfRun run = recorded_events::record_run(GetParam(), chrome_format(), 400);
    const auto json = nlohmann::ordered_json::parse(run.file);
    EXPECT_EQ(json.at("metadata").at("switchyard").dump(), to_json(run.info));
    EXPECT_EQ(lines_of(json.at("systemTraceEvents")), expected_lines(run));

    std::vector<std::string> events;
    recorded_events::Names threads, processes;
    for (const auto& e : json.at("traceEvents")) {
        const std::string phase = e.at("ph");
        const std::int64_t pid = e.at("pid");
        if (phase == "M") {
            if (e.at("name") == "process_name") processes[pid] = e.at("args").at("name");
            if (e.at("name") == "thread_name") threads[e.at("tid")] = e.at("args").at("name");
            continue;
        }
        events.push_back(fmt::format("{} {} {} {} {}", nanos(e.at("ts")), phase, pid,
                                     e.at("tid").get<std::int64_t>(), e.value("name", "")));
        if (phase == "C") events.back() += fmt::format(" {}", e.at("args").at("tasks").get<std::int64_t>());
    }
    EXPECT_EQ(events, expected_events(run));
    recorded_events::expect_each_thread_is_named(run, threads, processes);
}

INSTANTIATE_TEST_SUITE_P(Gallery, ChromeOf, testing::ValuesIn(builtin_file_names("")), name_of_parameter);

}  // namespace chrome_writer_test
}  // namespace sim
