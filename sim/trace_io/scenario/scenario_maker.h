// Converts a trace to a scenario, so that other schedulers can run the same tasks.
//
// Each thread becomes a task group whose program has its computation and its waits. A wake-up by a task is a
// `wake` step of the waker and a `wait` step of the sleeper; one by an interrupt is an arrival.
// docs/how-to/traces.md lists what is assumed because a trace does not contain it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/sched_event.h"
#include "sim/trace_io/sleep_inference.h"

namespace sim::trace_io {

struct ProgramStep;
struct ProgramLifetime;

// How arrivals are replayed.
enum class Replay : std::uint8_t {
    closed,  // delay since the task began to wait is as in the trace: the sender waits for an answer
    open,    // at the recorded time, even if the task does not wait: the sender is independent
};

struct ImportOptions {
    Replay replay = Replay::closed;
    std::string title{};      // empty: the trace's
    std::string machine{};    // JSON value: a name or an object; empty: the trace's, or else the ideal one
    std::uint32_t hz = 0;     // timer interrupts per second; 0: as the machine states
    std::string policy{};     // empty: the trace's, or else linux-6.6
    bool folds = true;        // repetitions become loops
    bool keeps_cpus = false;  // each thread may use only the CPUs on which it was recorded
};

// The counts of an import.
struct ImportCounts {
    std::uint64_t switches = 0, wake_ups = 0, steps = 0;  // steps: in the programs, after folding
    std::uint32_t tasks = 0, cpus = 0;
    Nanos length{};
};

class ScenarioMaker final : public EventSink {
  public:
    ScenarioMaker(ImportOptions options, Notes& notes);  // `notes` outlives this
    ~ScenarioMaker() override;

    void begin(const RunInfo& info) override;
    void event(const SchedEvent& event, const Threads& threads) override;
    void end(Nanos now) override;

    // Writes the text of the scenario in chunks. REQUIRES: end() has been called.
    ImportCounts write(const std::function<void(std::string_view)>& output);

    // Names of the task groups, by pid and the number of earlier programs with that pid.
    std::map<std::pair<std::int32_t, int>, std::string> entries() const;

  private:
    using Step = ProgramStep;
    struct CpuState;

    std::uint32_t life_of(ThreadId thread, const Threads& threads);  // returns an index into lives_
    void computes_until(CpuId cpu, Nanos now);
    void flush_run(ProgramLifetime& life);
    void add(std::uint32_t life, Step step, CpuId caller, Nanos now);
    void system_call_took(CpuId cpu, Nanos span);
    void sched_switch(const SchedEvent& e, const Threads& threads);
    void wake(const SchedEvent& e, const Threads& threads);
    void fork(const SchedEvent& e, const Threads& threads);
    void exec(const SchedEvent& e, const Threads& threads);
    // Sets the start of a task that ran before any event made it ready.
    void set_start(ProgramLifetime& life) const;
    void end_program(ProgramLifetime& life, Nanos now);
    void work(const SchedEvent& e);
    std::vector<std::string> entry_names() const;
    std::string machine() const;

    ImportOptions options_;
    Notes& notes_;
    RunInfo info_;
    CostModel costs_;  // costs of the scenario's machine
    std::vector<ProgramLifetime> lives_;
    std::vector<std::uint32_t> life_of_thread_;  // by ThreadId: index into lives_ plus 1; 0: none
    // by pid: index into lives_ of threads asleep since the start
    std::map<std::int32_t, std::uint32_t> asleep_;
    std::vector<CpuState> cpus_;
    std::map<std::int32_t, std::uint64_t> affinity_;  // by pid, of threads that existed at the start
    std::map<std::int32_t, std::uint64_t> ran_on_;    // by pid, one bit per CPU
    std::uint64_t switches_ = 0, wake_ups_ = 0;
    SleepInference sleeps_;
    bool has_initial_threads_ = false;  // the trace lists the threads at its start
    Nanos end_{}, until_{};             // end of the trace, and "until" of the scenario
    Nanos left_at_{-1};                 // last time a task exited or went to sleep; -1: never
};

}  // namespace sim::trace_io
