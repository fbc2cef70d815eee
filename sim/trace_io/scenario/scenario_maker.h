// Converts a trace to a scenario, so that other schedulers can run the same tasks.
//
// Each thread becomes a task group whose program consists of the thread's computation and waits. A wake-up by
// a task becomes a `wake` step of the waker and a `wait` step of the sleeper; a wake-up by an interrupt
// becomes an arrival. docs/how-to/traces.md lists the assumptions about facts that a trace does not contain.
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
enum class ArrivalReplay : std::uint8_t {
    // An arrival keeps its delay after the start of the task's wait, as if its sender waited for an answer.
    closed,
    // An arrival keeps its time, even if the task does not wait then, as if its sender were independent.
    open,
};

struct ImportOptions {
    ArrivalReplay replay = ArrivalReplay::closed;
    std::string title{};    // title of the scenario; empty: title of the trace
    std::string machine{};  // JSON value (name, object); empty: the trace's machine, else the ideal machine
    // Timer interrupts per second. 0: the value of the machine that `machine` or the trace states. If neither
    // states a machine, 0 means the trace's value.
    std::uint32_t hz = 0;
    std::string policy{};     // empty: policy of the trace, or linux-6.6 if the trace states none
    bool folds = true;        // true: repeated steps become loops
    bool keeps_cpus = false;  // each thread may use only the CPUs on which it was recorded
};

// Numbers that describe the imported trace.
struct ImportCounts {
    // `steps` is the number of steps in all programs, after folding of repetitions.
    std::uint64_t switches = 0, wake_ups = 0, steps = 0;
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
    std::map<std::pair<std::int32_t, int>, std::string> names_by_task() const;

  private:
    using Step = ProgramStep;
    struct CpuState;

    std::uint32_t lifetime_index_of(ThreadId thread, const Threads& threads);  // returns an index into lives_
    void add_computation_time(CpuId cpu, Nanos now);
    void flush_computation(ProgramLifetime& life);
    void add_step(std::uint32_t life, Step step, CpuId cpu, Nanos now);
    void set_system_call_time(CpuId cpu, Nanos span);
    void on_switch(const SchedEvent& e, const Threads& threads);
    void on_wake_up(const SchedEvent& e, const Threads& threads);
    void on_fork(const SchedEvent& e, const Threads& threads);
    void on_exec(const SchedEvent& e, const Threads& threads);
    // Sets the start of a task that ran before any event made it ready.
    void set_start_time(ProgramLifetime& life) const;
    void end_program(ProgramLifetime& life, Nanos now);
    void on_kernel_work(const SchedEvent& e);
    std::vector<std::string> task_group_names() const;
    std::string machine_json() const;

    ImportOptions options_;
    Notes& notes_;
    RunInfo info_;
    CostModel costs_;  // costs of the scenario's machine
    std::vector<ProgramLifetime> lives_;
    std::vector<std::uint32_t> life_of_thread_;  // by ThreadId: index into lives_ plus 1; 0: none
    // by pid: index into lives_ of threads asleep since the start
    std::map<std::int32_t, std::uint32_t> asleep_;
    std::vector<CpuState> cpus_;
    // By pid: affinity mask of a thread that existed at the start of the trace.
    std::map<std::int32_t, std::uint64_t> affinity_;
    std::map<std::int32_t, std::uint64_t> ran_on_;  // by pid: CPUs on which the thread ran, one bit per CPU
    std::uint64_t switches_ = 0, wake_ups_ = 0;
    SleepInference sleeps_;
    bool has_initial_threads_ = false;  // the trace lists the threads at its start
    Nanos end_{}, until_{};             // end of the trace, and "until" of the scenario
    Nanos left_at_{-1};                 // last time a task exited or went to sleep; -1: never
};

}  // namespace sim::trace_io
