// The result of a run as plain values, computed up to the current time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim {

// The time of a run up to now by purpose: the parts add up exactly to cpus * now. Work is charged when it
// begins; the part of its cost that is later than now is excluded. REQUIRES: `statistics` covers the entire
// run of `m`.
TimeParts elapsed_time_parts(const Scenario& scenario, const Statistics& statistics, const Machine& m);
// The part of the idle time that is Statistics::CpuStats::io_wait, summed over all CPUs.
Nanos elapsed_io_wait(const Scenario& scenario, const Statistics& statistics, const Machine& m);

// The statistics by TaskId up to the current time. As in elapsed_time_parts(), charged time that has not
// elapsed is excluded.
std::vector<TaskStatistics> elapsed_task_statistics(const Scenario& scenario, const Statistics& statistics,
                                                    const Machine& m);

// One of: running, ready, sleeping, waiting, exited.
const char* state_word(const Machine& m, TaskId p);

// The result of a run. docs/run_summary.schema.json defines each value.
struct Summary {
    std::string scenario;
    std::string policy;  // name of the policy with all options that are not at their defaults
    std::uint64_t seed = 0;
    std::uint32_t cpus = 1;
    Nanos simulated{};
    StopReason stop_reason = StopReason::until;

    struct Yields {
        std::uint64_t calls = 0, switched = 0;
    };
    struct ScheduleCallCounts {
        std::uint64_t calls = 0, considered = 0, recalculations = 0, recalculated = 0, queue_steps = 0;
    };
    struct Tlb {  // switches.total() = loads + lazy_avoided + same_mm_avoided
        std::uint64_t flushes = 0, loads = 0, lazy_avoided = 0, same_mm_avoided = 0;
        std::uint64_t flush_ipis = 0, left_mms = 0, entries_refilled = 0;
    };
    struct Cache {
        std::uint64_t lines_refilled = 0, lines_streamed = 0;
    };
    struct Smp {
        std::uint64_t reschedule_ipis = 0, migrations = 0;
    };
    // Numbers of interrupts. Ticks of idle CPUs count if idle CPUs receive ticks; IPIs count when sent.
    struct Interrupts {
        std::uint64_t timer = 0, device = 0, ipi = 0;
    };
    SwitchCounts switches;
    Yields yields;
    ScheduleCallCounts schedule;
    TimeParts time;  // adds up to cpus * simulated
    Tlb tlb;
    Cache cache;
    Smp smp;
    Interrupts interrupts;

    struct CpuSummary {
        std::uint64_t switches = 0, to_idle = 0, migrations = 0;
        Nanos idle{};
    };
    std::vector<CpuSummary> per_cpu;
    std::uint64_t forks = 0, exits = 0, ticks = 0;

    struct Deadlines {
        std::uint64_t jobs = 0;  // released jobs: met, missed, or open before the deadline
        std::uint64_t met = 0;
        // Jobs that finished late or were given up or skipped, and open jobs whose deadlines have passed.
        std::uint64_t missed = 0;
        Nanos max_lateness{};
    };
    std::optional<Deadlines> deadlines;  // present if some task has a deadline

    struct WaitsEndedBy {           // waits of group `waiter` that group `waker` ended
        std::string waiter, waker;  // `waker` is empty for a device or an intervention
        std::uint64_t waits = 0;
        Nanos waited{};
    };
    struct Wait {               // voluntary switches with one cause
        std::string_view kind;  // "arrival", "sleep", "exit", or the kind of the channel
        std::string name;       // name of the channel
        std::uint64_t switches = 0;
        Nanos waited{};                                     // time in completed waits
        std::optional<std::vector<WaitsEndedBy>> ended_by;  // for channels
    };
    struct Intervention {  // an intervention of the scenario
        Nanos at{};
        std::string_view kind;
        std::string task;
        std::optional<InterventionResult> result;  // nullopt: the run has not reached the intervention
    };
    std::vector<Intervention> interventions;

    std::vector<Wait> waits;  // only causes with switches; the switches add up to switches.voluntary

    struct RunQueue {  // number of runnable tasks, including the running task, at each schedule()
        double mean = 0;
        std::uint64_t max = 0;
        // Fractions of the schedule() calls at which this number was above 10, and 20 or more.
        double share_over_10 = 0, share_20_or_more = 0;
        std::vector<std::uint64_t> histogram;  // number of calls for each number of runnable tasks up to max
        // Load averages over 1, 5 and 15 minutes at the end of the run, in hundredths (load_average.h).
        std::array<std::uint64_t, 3> load_average{};
    };
    RunQueue runqueue;

    struct TaskSummary {
        std::uint32_t pid = 0;
        std::string name;
        std::string_view state;  // state_word()
        Nanos user{}, system{}, ready{};
        std::uint64_t voluntary = 0, involuntary = 0, yields = 0;
        // Textbook measures of a job. Each measure is empty until the event that defines it has happened.
        // `ready` is the waiting time of the job.
        std::optional<Nanos> arrival = {}, first_run = {}, finish = {};
        std::optional<Nanos> response = {}, turnaround = {}, waiting = {};
        std::optional<double> normalised_turnaround = {};   // turnaround / user time
        std::optional<Deadlines> deadlines = std::nullopt;  // present if the task has a deadline
    };
    std::vector<TaskSummary> tasks;  // in task-table order

    // Measures of all tasks, including tasks whose rows have been reused. mean_response is averaged over
    // jobs that have run, the other means over finished jobs.
    struct Jobs {
        std::uint64_t finished = 0;
        std::optional<double> mean_response = {}, mean_turnaround = {}, mean_waiting = {};  // ns
        std::optional<double> mean_normalised_turnaround = {};
        std::optional<Nanos> max_response = {}, max_turnaround = {}, max_waiting = {};
        std::optional<double> throughput = {};  // finished jobs per second
        std::optional<double> jain = {};        // Jain's index of the shares of awake time: 1/n to 1
    };
    Jobs jobs;
    std::uint64_t hash = 0;  // Machine::hash() of the final state
};

// The following functions compute parts of a summary. `elapsed_statistics` is the result of
// elapsed_task_statistics().
Summary::TaskSummary summary_of_task(const Scenario& scenario, const Machine& m, const Statistics& statistics,
                                     const std::vector<TaskStatistics>& elapsed_statistics, TaskId p);
Summary::Jobs summary_of_jobs(const Machine& m, const Statistics& statistics,
                              const std::vector<TaskStatistics>& elapsed_statistics);
std::optional<Summary::Deadlines> summary_of_deadlines(const Scenario& scenario, const Machine& m,
                                                       const Statistics& statistics);

// The summary of the run of `m` up to now. REQUIRES: `statistics` covers the entire run.
Summary summarize(const Scenario& scenario, const std::string& policy, const Machine& m,
                  const Statistics& statistics, StopReason reason);

}  // namespace sim
