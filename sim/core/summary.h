// The result of a run as people and programs read it: plain figures, settled to the instant at which it
// stands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim {

// Where the time of a run went until this instant, to the nanosecond: the parts add up to cpus * now. What is
// charged but has not passed yet is not in it, what is passing is. REQUIRES: `statistics` watched the whole
// run of `m`.
TimeParts settled_time(const Scenario& scenario, const Statistics& statistics, const Machine& m);

// The statistics of each task settled in the same way, by TaskId.
std::vector<TaskStatistics> settled_tasks(const Scenario& scenario, const Statistics& statistics,
                                          const Machine& m);

// What a task is doing, in a word: running, ready, sleeping, waiting or exited.
const char* state_word(const Machine& m, TaskId p);

// What came of a run. docs/run_summary.schema.json says of each figure what it counts; sim/lab/summary_json.h
// writes it as JSON.
struct Summary {
    std::string scenario;  // its name
    std::string policy;    // with the options that are not at their default
    std::uint64_t seed = 0;
    std::uint32_t cpus = 1;
    Nanos simulated{};
    StopReason stop_reason = StopReason::until;

    struct Yields {
        std::uint64_t calls = 0, switched = 0;
    };
    struct Schedule {  // the work of schedule()
        std::uint64_t calls = 0, considered = 0, recalcs = 0, recalculated = 0, queue_steps = 0;
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
    struct Interrupts {  // that came: an idle CPU's ticks only where it takes any; IPIs as they were sent
        std::uint64_t timer = 0, device = 0, ipi = 0;
    };
    SwitchCounts switches;
    Yields yields;
    Schedule schedule;
    TimeParts time;  // adds up to cpus * simulated
    Tlb tlb;
    Cache cache;
    Smp smp;
    Interrupts interrupts;

    struct OfCpu {
        std::uint64_t switches = 0, to_idle = 0, migrations = 0;
        Nanos idle{};
    };
    std::vector<OfCpu> per_cpu;
    std::uint64_t forks = 0, exits = 0, ticks = 0;

    struct Deadlines {
        std::uint64_t jobs = 0;  // released: met, missed, and those that are neither yet
        std::uint64_t met = 0;
        std::uint64_t missed = 0;  // ended too late, never begun, or not over when their deadlines had passed
        Nanos max_lateness{};
    };
    std::optional<Deadlines> deadlines;  // where somebody has one

    struct Ended {                  // waits of one entry's tasks that another entry's ended
        std::string waiter, waker;  // the waker is empty for a device
        std::uint64_t waits = 0;
        Nanos waited{};
    };
    struct Wait {               // voluntary switches by what the task gave the CPU up for
        std::string_view kind;  // "arrival", "sleep", "exit", or that of the channel
        std::string name;       // of the channel
        std::uint64_t switches = 0;
        Nanos waited{};                              // of the waits that are over
        std::optional<std::vector<Ended>> ended_by;  // of a channel
    };
    std::vector<Wait> waits;  // only what happened; their switches add up to switches.voluntary

    struct RunQueue {  // the runnable tasks, the running one included, counted at each call of schedule()
        double mean = 0;
        std::uint64_t max = 0;
        double share_over_10 = 0, share_20_or_more = 0;  // of the calls
        std::vector<std::uint64_t> histogram;            // calls by the number of tasks, up to max
    };
    RunQueue runqueue;

    struct OfTask {
        std::uint32_t pid = 0;
        std::string name;
        std::string_view state;  // as state_word() has it
        Nanos user{}, system{}, ready{};
        std::uint64_t voluntary = 0, involuntary = 0, yields = 0;
        // What textbooks tell of a job; nothing where it has not happened. What it waited is `ready`.
        std::optional<Nanos> arrival = {}, first_run = {}, finish = {};
        std::optional<Nanos> response = {}, turnaround = {}, waiting = {};
        std::optional<double> normalised_turnaround = {};   // per user time
        std::optional<Deadlines> deadlines = std::nullopt;  // where it has some
    };
    std::vector<OfTask> tasks;  // in the order of the task table

    // Of all tasks that were there, those whose row is another's by now included. Means are over those that
    // have finished; of the response, over those that have run.
    struct Jobs {
        std::uint64_t finished = 0;
        std::optional<double> mean_response = {}, mean_turnaround = {}, mean_waiting = {};  // ns
        std::optional<double> mean_normalised_turnaround = {};
        std::optional<Nanos> max_response = {}, max_turnaround = {}, max_waiting = {};
        std::optional<double> throughput = {};  // finished a second
        std::optional<double> jain = {};        // of each one's share of the time it was awake: 1/n to 1
    };
    Jobs jobs;
    std::uint64_t hash = 0;  // of the final state
};

// What of it is about jobs, alone; `settled` is what settled_tasks() says.
Summary::OfTask summary_of_task(const Scenario& scenario, const Machine& m, const Statistics& statistics,
                                const std::vector<TaskStatistics>& settled, TaskId p);
Summary::Jobs summary_of_jobs(const Machine& m, const Statistics& statistics,
                              const std::vector<TaskStatistics>& settled);
std::optional<Summary::Deadlines> summary_of_deadlines(const Scenario& scenario, const Machine& m,
                                                       const Statistics& statistics);

// REQUIRES: as for settled_time().
Summary summarize(const Scenario& scenario, const std::string& policy, const Machine& m,
                  const Statistics& statistics, StopReason reason);

}  // namespace sim
