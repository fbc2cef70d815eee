// Measures how long tasks waited for a CPU, in a trace or a run, from the same events by the same rules.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/span_histogram.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

struct TaskWaits {
    std::uint64_t switches = 0;   // switches to the task
    std::uint64_t preempted = 0;  // number of times the task left a CPU in state R+
    Nanos ran{};                  // time on a CPU, including kernel work on its behalf
    SpanHistogram waits;          // waiting times, from ready to running
    SpanHistogram latency;        // the part of `waits` that began with a wake-up
};

// From `since` on, the CPU ran task `task` (index into WaitAnalyzer::identities(), -1: idle).
struct SwitchIn {
    Nanos since{};
    int task = -1;
    bool by_exec = false;  // no switch: the task continues as another program
};

class WaitAnalyzer final : public EventSink {
  public:
    void begin(const RunInfo& info) override;
    void event(const SchedEvent& event, const Threads& threads) override;
    void end(Nanos now) override;

    // Tasks that had a CPU, by index. A thread after an exec and a new thread with an old pid count as new
    // tasks; `life` numbers the tasks of one pid from 0.
    struct TaskIdentity {
        std::int32_t pid = 0;
        int life = 0;
        std::string name;  // the latest name
    };
    const std::vector<TaskIdentity>& identities() const { return identities_; }
    const TaskWaits& of(int number) const { return *tasks_[static_cast<std::size_t>(number)]; }
    const TaskWaits& all() const { return *all_; }
    const std::vector<std::vector<SwitchIn>>& by_cpu() const { return cpus_; }
    Nanos from() const { return begin_; }
    Nanos length() const { return end_ - begin_; }

  private:
    struct Ready {
        bool is_ready = false, was_woken = false;
        Nanos since{};
    };
    int number_of(ThreadId id, const Thread& thread);
    void add(TaskIdentity task);

    std::vector<TaskIdentity> identities_;
    std::map<std::pair<ThreadId, std::int32_t>, int> number_;  // by thread and pid, which may be reused
    std::map<std::int32_t, int> lives_;                        // number of tasks so far, by pid
    std::vector<std::unique_ptr<TaskWaits>> tasks_;
    std::unique_ptr<TaskWaits> all_ = std::make_unique<TaskWaits>();
    std::map<std::int32_t, Ready> ready_;  // by pid
    std::vector<std::vector<SwitchIn>> cpus_;
    Nanos begin_{}, end_{};
};

// Share of the tasks' CPU time in `a` during which `b` ran the same task: on the same CPU, or on any CPU.
// `same[i]`: index in `a` of task i of `b`, or -1. 0 if no task ran.
struct CpuOverlap {
    double same_cpu = 0, any_cpu = 0;
};
CpuOverlap cpu_overlap(const WaitAnalyzer& a, const WaitAnalyzer& b, const std::vector<int>& same);

}  // namespace sim::trace_io
