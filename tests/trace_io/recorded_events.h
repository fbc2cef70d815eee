// The events of a run together with the file that a writer made of them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/tee_sink.h"
#include "tests/support/event_sinks.h"
#include "tests/trace_io/builtin_run.h"

namespace sim::recorded_events {

struct EventRecord {
    trace_io::SchedEvent event;
    trace_io::Thread current, thread;  // state of both at the event
    std::string current_comm, thread_comm;
};

// Keeps all events with their threads.
class EventRecorder final : public trace_io::ContractSink {
  public:
    void begin(const trace_io::RunInfo& begun) override {
        ContractSink::begin(begun);
        info = begun;
    }
    void event(const trace_io::SchedEvent& e, const trace_io::Threads& all) override {
        ContractSink::event(e, all);
        events.push_back({e, all[e.current], all[e.thread], trace_io::comm(e.current, all, e.cpu),
                          trace_io::comm(e.thread, all, e.cpu)});
        threads_ = &all;
    }
    void end(Nanos now) override {
        ContractSink::end(now);
        if (threads_ != nullptr) threads = *threads_;
    }

    trace_io::RunInfo info{};
    std::vector<EventRecord> events{};
    trace_io::Threads threads{};  // state at the end of the run

  private:
    const trace_io::Threads* threads_ = nullptr;
};

struct EventsOfRun {
    trace_io::RunInfo info;
    std::vector<EventRecord> events;
    trace_io::Threads threads;  // state at the end of the run
    std::string file;
};

// Writes the first switches of a built-in scenario's run in `format`.
inline EventsOfRun record_run(const std::string& scenario_name, const trace_io::ExportFormat& format,
                              std::uint64_t switches) {
    std::string file;
    const auto writer = format.make([&](std::string_view bytes) { file += bytes; });
    EventRecorder recorder;
    trace_io::TeeSink both(recorder, *writer);
    // Maximum number of events; it limits runs without switches.
    constexpr std::uint64_t kEvents = 20'000;
    builtin_run::BuiltinRun(scenario_name).emit({.switches = switches, .events = kEvents}, both);
    return {std::move(recorder.info), std::move(recorder.events), std::move(recorder.threads),
            std::move(file)};
}

// Names in a file, by number. The number of a thread is its pid; that of a process is its tgid.
using Names = std::map<std::int64_t, std::string>;

// Expects that the file contains a name for the threads of each event and for their processes. The name of
// a thread must be the most recent name.
inline void expect_each_thread_is_named(const EventsOfRun& run, const Names& threads,
                                        const Names& processes) {
    for (const EventRecord& record : run.events)
        for (const trace_io::Thread& thread : {record.current, record.thread}) {
            if (thread.pid == 0) continue;
            EXPECT_TRUE(threads.count(thread.pid)) << thread.pid;
            EXPECT_TRUE(processes.count(thread.tgid)) << thread.tgid;
        }
    for (const trace_io::Thread& thread : run.threads) {
        const auto found = threads.find(thread.pid);
        if (thread.pid == 0 || found == threads.end()) continue;
        EXPECT_EQ(found->second, thread.name);
    }
}

}  // namespace sim::recorded_events
