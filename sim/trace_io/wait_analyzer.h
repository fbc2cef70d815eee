// Measures how long tasks waited for a CPU. Traces and runs are measured from the same events by the same
// rules.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/span_histogram.h"
#include "sim/trace_io/sched_event.h"
#include "sim/trace_io/sleep_inference.h"

namespace sim::trace_io {

// Waits that had not ended when the trace or run ended.
struct UnfinishedWaits {
    std::uint64_t count = 0;
    Nanos sum{}, most{};
    Nanos most_woken{};  // longest of the unfinished waits that began with a wake-up

    void add(Nanos span, bool was_woken) {
        ++count;
        sum += span;
        most = std::max(most, span);
        if (was_woken) most_woken = std::max(most_woken, span);
    }
};

struct TaskWaits {
    std::uint64_t switches = 0;  // switches to the task
    // Switches away from the task while it was still runnable, except by sched_yield().
    std::uint64_t involuntary = 0;
    Nanos ran{};            // time on a CPU, including kernel work on its behalf
    SpanHistogram waits;    // waiting times, from ready to running
    SpanHistogram latency;  // the part of `waits` that began with a wake-up
    UnfinishedWaits unfinished;

    Nanos total_wait() const { return waits.sum() + unfinished.sum; }
};

// From `since` on, the CPU ran task `task` (index into WaitAnalyzer::identities(), -1: idle).
struct SwitchIn {
    Nanos since{};
    int task = -1;
    bool by_exec = false;  // true: the running task executed another program (exec) without a switch
};

class WaitAnalyzer final : public EventSink {
  public:
    void begin(const RunInfo& info) override;
    void event(const SchedEvent& event, const Threads& threads) override;
    void end(Nanos now) override;

    // A task that had a CPU or waited for one. After an exec, a thread counts as a new task. Several tasks
    // may have the same pid; `life` numbers these tasks from 0.
    struct TaskIdentity {
        std::int32_t pid = 0;
        int life = 0;
        std::string name;  // most recent name
    };
    const std::vector<TaskIdentity>& identities() const { return identities_; }
    // Waits of the task with this index in identities().
    const TaskWaits& waits_of(int task) const { return *tasks_[static_cast<std::size_t>(task)]; }
    const TaskWaits& waits_of_all_tasks() const { return *all_; }
    const std::vector<std::vector<SwitchIn>>& switches_by_cpu() const { return cpus_; }
    Nanos begin_time() const { return begin_; }
    Nanos duration() const { return end_ - begin_; }

  private:
    struct ReadyState {
        bool is_ready = false, was_woken = false;
        // is_unclear: the task left its CPU, and only its next event shows whether it went to sleep.
        // may_be_involuntary: if the task did not go to sleep, the switch away from it was involuntary.
        bool is_unclear = false, may_be_involuntary = false;
        bool left_unseen = false;  // the trace lacks the switch away from the task
        bool has_cpu = false;
        CpuId cpu = 0;  // valid if is_ready: target CPU if was_woken, else the CPU left
        Nanos since{};
        int task = -1;
    };
    void on_wake_up(const SchedEvent& e, const Threads& threads);
    void on_switch(const SchedEvent& e, const Threads& threads);
    void on_switch_out(const SchedEvent& e, const Threads& threads);
    void count_involuntary_switch(int task);
    int task_index_of(ThreadId id, const Thread& thread);
    void add_task(TaskIdentity task);

    std::vector<TaskIdentity> identities_;
    // Index into identities_, by thread and pid. A new thread may reuse an old ThreadId or an old pid.
    std::map<std::pair<ThreadId, std::int32_t>, int> task_index_;
    std::map<std::int32_t, int> lives_;  // number of tasks so far, by pid
    std::vector<std::unique_ptr<TaskWaits>> tasks_;
    std::unique_ptr<TaskWaits> all_ = std::make_unique<TaskWaits>();
    std::map<std::int32_t, ReadyState> ready_;  // by pid
    std::vector<std::vector<SwitchIn>> cpus_;
    std::vector<Nanos> yielded_;  // by CPU: time of the last sched_yield() since the last switch; -1: none
    SleepInference sleeps_;
    Nanos begin_{}, end_{};
};

// Compares two traces of the same tasks. Both fields are shares of the tasks' CPU time in `reference`, 0 to
// 1. same_cpu: `compared` ran the same task at the same time on the same CPU. any_cpu: on any CPU. Both are 0
// if no task ran. `index_by_task[i]`: the index in `reference` of task i of `compared`; -1: not in
// `reference`.
struct PlacementAgreement {
    double same_cpu = 0, any_cpu = 0;
};
PlacementAgreement placement_agreement(const WaitAnalyzer& reference, const WaitAnalyzer& compared,
                                       const std::vector<int>& index_by_task);

}  // namespace sim::trace_io
