// From a recording to a scenario: what tasks did, so that another scheduler can be asked to run them.
//
// Each thread becomes a task entry with a program: how long it computed, and what it waited for. What it
// waited for is told by who woke it: another task (that one has a `wake` there, and the sleeper a `wait`),
// or an interrupt (an arrival). What cannot be seen in a recording is assumed, and docs/recordings.md says
// what.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/exchange/reader.h"
#include "sim/exchange/sched_event.h"

namespace sim::exchange {

// How arrivals come back.
enum class Replay : std::uint8_t {
    closed,  // so long after the task has begun to wait as in the recording: the other side waits for an
             // answer
    open,    // at the recorded instant, whether the task waits then or not: the other side does not care
};

struct ImportOptions {
    Replay replay = Replay::closed;
    std::string title{};    // empty: the recording's
    std::string machine{};  // a JSON value: a name or an object; empty: the recording's, or else an ideal one
    std::uint32_t hz = 0;   // timer interrupts a second of that machine; 0: its own
    std::string policy{};   // empty: the recording's, or else linux-6.6
    bool folds = true;      // what repeats becomes a loop
    bool keeps_cpus = false;  // each thread may use those CPUs on which it was recorded, and no others
};

// What an import has come to.
struct Imported {
    std::uint64_t switches = 0, wake_ups = 0, steps = 0;  // steps: in the programs, once they are folded
    std::uint32_t tasks = 0, cpus = 0;
    Nanos length{};
};

// Collects a recording, and writes the scenario's text.
class ScenarioMaker final : public EventSink {
  public:
    ScenarioMaker(ImportOptions options, Notes& notes);  // `notes` outlives this
    ~ScenarioMaker() override;

    void begin(const RunInfo& info) override;
    void event(const SchedEvent& event, const Threads& threads) override;
    void end(Nanos now) override;

    // The scenario, piece by piece. REQUIRES: the recording has ended.
    Imported write(const std::function<void(std::string_view)>& output);

    // What threads are called in the scenario, by their pid and how many other programs they were before.
    std::map<std::pair<std::int32_t, int>, std::string> entries() const;

  private:
    struct Step;
    struct Life;  // of a thread between its start, or an exec, and its end, or the next one
    struct OfCpu;

    std::uint32_t life_of(ThreadId thread, const Threads& threads);  // an index into lives_
    void computes_until(CpuId cpu, Nanos now);
    void flush_run(Life& life);
    void add(std::uint32_t life, Step step, CpuId caller, Nanos now);
    void system_call_took(CpuId cpu, Nanos span);
    void sched_switch(const SchedEvent& e, const Threads& threads);
    void wake(const SchedEvent& e, const Threads& threads);
    void fork(const SchedEvent& e, const Threads& threads);
    void exec(const SchedEvent& e, const Threads& threads);
    void work(const SchedEvent& e);
    std::vector<std::string> entry_names() const;
    std::string machine() const;
    Nanos charged(const Step& step, const Life& life) const;
    void add_step(std::string& text, const Step& step, const Life& life,
                  const std::vector<std::string>& names, bool as_word);
    std::string program(const Life& life, const std::vector<std::string>& names, Imported& imported);

    ImportOptions options_;
    Notes& notes_;
    RunInfo info_;
    CostModel costs_;  // of the scenario's machine
    std::vector<Life> lives_;
    std::vector<std::uint32_t> life_of_thread_;     // by ThreadId, plus 1; 0 for none
    std::map<std::int32_t, std::uint32_t> asleep_;  // of those that have slept since the beginning, by pid
    std::vector<OfCpu> cpus_;
    std::map<std::int32_t, std::uint64_t> affinity_;  // by pid, of those that were there at the beginning
    std::map<std::int32_t, std::uint64_t> ran_on_;    // by pid, a bit for each CPU
    std::uint64_t switches_ = 0, wake_ups_ = 0;
    std::size_t steps_in_all_ = 0;  // before they are folded; known when the scenario is written
    Nanos end_{}, until_{};         // of the recording, and of a run of it
    Nanos left_at_{-1};             // when somebody last exited or went to sleep
};

}  // namespace sim::exchange
