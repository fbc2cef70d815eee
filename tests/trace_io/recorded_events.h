// The events of a run together with the file that a writer made of them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/policies/policies.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/formats.h"
#include "tests/support/emit_run.h"

namespace sim::recorded_events {

struct EventRecord {
    trace_io::SchedEvent event;
    trace_io::Thread current, thread;  // as they were at the event
    std::string current_comm, thread_comm;
};

struct EventsOfRun {
    trace_io::RunInfo info;
    std::vector<EventRecord> events;
    trace_io::Threads threads;  // as they were at the end
    std::string file;
};

class RecordingSink final : public trace_io::EventSink {
  public:
    RecordingSink(EventsOfRun& run, trace_io::EventSink& writer) : run_(run), writer_(writer) {}

    void begin(const trace_io::RunInfo& info) override {
        run_.info = info;
        writer_.begin(info);
    }
    void event(const trace_io::SchedEvent& e, const trace_io::Threads& threads) override {
        run_.events.push_back({e, threads[e.current], threads[e.thread],
                               trace_io::comm(e.current, threads, e.cpu),
                               trace_io::comm(e.thread, threads, e.cpu)});
        threads_ = &threads;
        writer_.event(e, threads);
    }
    void end(Nanos now) override {
        if (threads_ != nullptr) run_.threads = *threads_;
        writer_.end(now);
    }

  private:
    EventsOfRun& run_;
    trace_io::EventSink& writer_;
    const trace_io::Threads* threads_ = nullptr;
};

inline EventsOfRun tell(const std::string& scenario_name, const trace_io::Format& format,
                        std::uint64_t switches, Nanos from = {}) {
    const Scenario scenario = load_scenario(scenario_name);
    const NamedPolicy policy = make_policy(scenario.policy, scenario.cpus);
    EventsOfRun run;
    const auto writer = format.make([&](std::string_view bytes) { run.file += bytes; });
    RecordingSink keeper(run, *writer);
    // A limit for runs without switches.
    constexpr std::uint64_t kEvents = 20'000;
    trace_io::emit_run(scenario, *policy.policy,
                       {.until = scenario.until.value_or(kHorizon), .switches = switches, .events = kEvents},
                       {.title = scenario.title, .cpus = scenario.cpus, .policy = policy.name, .begin = from},
                       keeper);
    return run;
}

}  // namespace sim::recorded_events
