// Totals of a run: switches, work, time by purpose, and the same totals for each task.
//
// Statistics are a sink: the engine never reads them, so they do not influence the run. A period of user time
// or idle time is added when the period ends. Scheduler time is not summed: elapsed_time_parts() (summary.h)
// computes it as counted work times costs and corrects for work in progress. So the parts of the time add up
// exactly, and a decision needs only a few additions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/core/decision.h"
#include "sim/core/load_average.h"
#include "sim/core/machine.h"
#include "sim/core/schedule_call.h"

namespace sim {

struct SwitchCounts {
    std::uint64_t voluntary = 0;    // prev was no longer runnable (Linux's nvcsw)
    std::uint64_t involuntary = 0;  // prev was still runnable: preempted or yielding (Linux's nivcsw)
    std::uint64_t from_idle = 0;
    std::uint64_t to_idle = 0;
    std::uint64_t kernel_thread = 0;  // switches to a non-idle task without an mm of its own
    std::uint64_t same_mm = 0;
    std::uint64_t other_mm = 0;

    // Number of all switches, added up by the state of prev. The sum by the kind of the next task has the
    // same value: to_idle + kernel_thread + same_mm + other_mm.
    std::uint64_t total() const { return voluntary + involuntary + from_idle; }
};

struct alignas(64) TaskStatistics {  // size: one cache line
    Nanos user{};
    Nanos system{};  // time in system calls and in schedule() called by this task
    // Total time in which the task was runnable but not running, up to the latest switch to the task.
    // Negative before the first switch to the task.
    Nanos ready{kNotRunYet};
    Nanos ready_since{};    // meaningful while ready
    Nanos waiting_since{};  // meaningful while asleep
    std::uint64_t voluntary = 0, involuntary = 0, yields = 0;

    // Initial value of `ready`. It is so low that no sum of waiting times makes `ready` positive, so a
    // negative `ready` means that the task has not run yet.
    static constexpr Nanos kNotRunYet = -2 * kHorizon;
};
static_assert(sizeof(TaskStatistics) == 64);

// The times at which a task arrived, first ran and finished, as textbooks define them.
struct JobTimes {
    static constexpr Nanos kNever{-1};
    Nanos arrival = kNever;    // when the task was first ready; set at its first run
    Nanos first_run = kNever;  // time of the first schedule() after which the task ran
    Nanos finish = kNever;     // time at which the task began to exit

    bool has_run() const { return first_run != kNever; }
};

// Textbook measures of schedulers, summed over jobs.
struct JobSums {
    std::uint64_t finished = 0;
    Nanos turnaround{}, waiting{};  // sums over finished jobs
    Nanos max_turnaround{}, max_waiting{};
    std::uint64_t with_user_time = 0;  // finished jobs with user time above 0
    double normalised = 0;             // sum of turnaround / user time over the `with_user_time` jobs
    std::uint64_t started = 0;         // jobs that have run
    Nanos response{}, max_response{};
    // For jobs that have run or were ready. A job's share is its CPU time / (CPU time + ready time), in
    // millionths. `share_count`: number of these jobs; `share_sum`: sum of the shares; `share_squared_sum`:
    // sum of the squared shares. All three are integers, so that the sums are the same with all compilers.
    std::uint64_t share_count = 0, share_sum = 0, share_squared_sum = 0;

    // REQUIRES: `task` is computed up to the current time (elapsed_task_statistics()); otherwise the waiting
    // time of a task that never ran is missing.
    void add(const TaskStatistics& task, const JobTimes& job);
};

// Values of the exited threads of a process that still has other threads. As in the kernel, these values
// belong to the process. A process is an address space with a name in the scenario; the tasks that use this
// name are its threads.
struct ExitedThreads {
    std::uint32_t pid = 0;      // lowest pid of an exited thread; 0: none has exited
    std::uint32_t ordinal = 0;  // `group` and `ordinal` are the name of the thread `pid`
    std::uint16_t group = 0;
    std::uint16_t last_processor = Task::kNoProcessor;
    TaskStatistics first;    // statistics of the thread `pid`
    Nanos user{}, system{};  // total times of all exited threads
};

// Results of finished jobs with deadlines.
struct DeadlineCounts {
    std::uint64_t met = 0, missed = 0;
    Nanos max_lateness{};  // longest delay after a deadline; 0: no job was late

    void add_job(Nanos lateness, bool gave_up) {
        ++(lateness > Nanos{} || gave_up ? missed : met);
        max_lateness = std::max(max_lateness, lateness);
    }
};

struct TaskDeadlines {
    DeadlineCounts counts;
    Nanos user_before{};  // user time of the task at the end of its latest job
};

// Voluntary switches with one cause, and the times from these switches to the wake-ups.
struct WaitStatistics {
    std::uint64_t switches = 0;
    Nanos waited{};  // time in completed waits
};

// Number and total time of the waits on one channel in which a task of group `waker` woke a task of group
// `waiter`.
struct WaitAttribution {
    ChannelId channel = 0;
    std::uint32_t waiter = 0, waker = 0;  // task groups; `waker` is kNoWaker for a device or an intervention
    std::uint64_t waits = 0;
    Nanos waited{};

    static constexpr std::uint32_t kNoWaker = 0xffff'ffff;
};

inline void JobSums::add(const TaskStatistics& task, const JobTimes& job) {
    const Nanos ready = std::max(task.ready, Nanos{});
    if (const Nanos cpu = task.user + task.system, there = cpu + ready; there > Nanos{}) {
        const auto got = static_cast<std::uint64_t>(
            1e6 * static_cast<double>(cpu.count()) / static_cast<double>(there.count()) + 0.5);
        ++share_count;
        share_sum += got;
        share_squared_sum += got * got;
    }
    if (!job.has_run()) return;
    const auto raise_maximum = [](Nanos& most, Nanos span) { most = std::max(most, span); };
    ++started;
    response += job.first_run - job.arrival;
    raise_maximum(max_response, job.first_run - job.arrival);
    if (job.finish == JobTimes::kNever) return;
    const Nanos whole = job.finish - job.arrival;
    ++finished;
    turnaround += whole;
    waiting += ready;
    raise_maximum(max_turnaround, whole);
    raise_maximum(max_waiting, ready);
    if (task.user == Nanos{}) return;
    ++with_user_time;
    normalised += static_cast<double>(whole.count()) / static_cast<double>(task.user.count());
}

struct Statistics {
    explicit Statistics(const MachineShape& shape)
        : tasks(shape.cpus + shape.tasks),
          jobs(tasks.size()),
          queue_length(std::size_t{shape.tasks} + 1),
          waits(shape.channels),
          cpus(shape.cpus),
          exited_threads(shape.shared_mms),
          deadlines(shape.has_jobs ? tasks.size() : 0) {}

    SwitchCounts switches;
    std::uint64_t yields = 0, yields_switched = 0;
    std::uint64_t syscalls = 0;
    std::uint64_t schedule_calls = 0;
    std::uint64_t considered = 0, recalculations = 0, recalculated = 0, queue_steps = 0;
    std::uint64_t mm_loads = 0;      // switches that loaded page tables, including switches to idle tasks
    std::uint64_t lazy_avoided = 0;  // switches that loaded no page tables because of lazy TLB
    std::uint64_t tlb_flushes = 0;   // flushes by exec and munmap, not the flushes by switches (mm_loads)
    // flush_ipis: number of IPIs that request a flush. left_mms: number of times that a CPU left a borrowed
    // mm instead of flushing its TLB.
    std::uint64_t flush_ipis = 0, left_mms = 0;
    // Reschedule IPIs sent (a CPU in mwait needs no IPI); migrations of tasks.
    std::uint64_t reschedule_ipis = 0, migrations = 0;
    std::array<std::uint64_t, kKernelWorks> work{};                      // by KernelWork
    std::uint64_t tlb_entries = 0, cache_lines = 0, streamed_lines = 0;  // refilled
    std::uint64_t timer_wake_ups = 0;                                    // wake-ups by timers that tasks set
    std::array<std::uint64_t, kInterrupts> interrupts{};                 // handled interrupts, by Interrupt
    std::uint64_t steals = 0;  // times that a halted virtual CPU waited for its host
    std::uint64_t forks = 0, exits = 0;
    Nanos stated{};  // kernel time specified in programs by `syscall` and `in_kernel`
    Nanos user{}, idle{};
    std::vector<TaskStatistics> tasks;  // by TaskId
    std::vector<JobTimes> jobs;         // by TaskId
    JobSums former_jobs;                // sums over tasks whose rows have been reused
    // Number of schedule() calls by number of runnable tasks, including a runnable prev.
    std::vector<std::uint64_t> queue_length;

    // Voluntary switches by cause. Waits on channels are in `waits`.
    WaitStatistics arrivals;  // waits for external events
    WaitStatistics sleeps;    // sleeps until the task's own timer fires
    std::uint64_t exit_switches = 0;
    std::vector<WaitStatistics> waits;               // by ChannelId
    std::vector<WaitAttribution> wait_attributions;  // ordered by channel, waiter, waker

    struct CpuStats {
        KernelEntryWork latest;  // latest work in the kernel; part of its time may not have elapsed yet
        TaskId charged = 0;      // the task charged for this work
        std::uint64_t switches = 0, to_idle = 0, migrations = 0;
        Nanos idle{};
        // nr_iowait: number of tasks that wait for a device in TASK_UNINTERRUPTIBLE and that ran on this CPU
        // when they requested the device.
        // io_wait: part of `idle` during which nr_iowait was not 0 (iowait in /proc/stat).
        // io_until: time at which nr_iowait last became 0; kHorizon: nr_iowait is above 0 now; 0: nr_iowait
        // has never been above 0.
        std::uint32_t nr_iowait = 0;
        Nanos io_wait{}, io_until{};

        // The part of the idle interval [begin, end) that is io_wait. This part starts at `begin`, because
        // nr_iowait cannot rise while the CPU is idle: only a task that runs on this CPU can begin such a
        // wait.
        Nanos io_wait_in(Nanos begin, Nanos end) const {
            return io_until > begin ? std::min(io_until, end) - begin : Nanos{};
        }
    };
    std::vector<CpuStats> cpus;

    LoadAverage load;

    std::vector<ExitedThreads> exited_threads;  // one per address space shared by name; the first is for id 1

    std::vector<TaskDeadlines> deadlines;  // by TaskId; no rows if no task has a deadline
    DeadlineCounts deadlines_in_all;

    std::vector<InterventionResult> interventions;  // results of the scenario's interventions until now

    std::uint64_t interrupts_of(Interrupt which) const { return interrupts[static_cast<std::size_t>(which)]; }

    KernelWorkTotals totals() const {
        return {.syscalls = syscalls,
                .calls = schedule_calls,
                .considered = considered,
                .queue_steps = queue_steps,
                .recalculated = recalculated,
                .switches = switches.total(),
                .mm_loads = mm_loads,
                .work = work,
                .tlb_entries = tlb_entries,
                .cache_lines = cache_lines,
                .streamed_lines = streamed_lines,
                .interrupts = interrupts,
                .steals = steals,
                .stated = stated};
    }

    // Records that p, which was asleep or new, is now ready.
    void became_ready(TaskId p, Nanos now) { tasks[p].ready_since = now; }

    void fell_asleep(TaskId p, Nanos now, WaitStatistics& cause) {
        ++cause.switches;
        tasks[p].waiting_since = now;
    }

    // Records that a task of group `waker` has ended the wait of p, a task of group `waiter`.
    void wait_ended(TaskId p, Nanos now, ChannelId channel, std::uint32_t waiter, std::uint32_t waker) {
        const Nanos span = now - tasks[p].waiting_since;
        waits[channel].waited += span;
        WaitAttribution& blame = attribution_of(channel, waiter, waker);
        ++blame.waits;
        blame.waited += span;
    }
    // Records the end of a wait of p that is not on a channel. `cause`: `arrivals` or `sleeps`.
    void sleep_ended(TaskId p, Nanos now, WaitStatistics& cause) {
        cause.waited += now - tasks[p].waiting_since;
    }

    void add_user_time(TaskId p, Nanos span) {
        user += span;
        tasks[p].user += span;
    }

    void add_idle_time(CpuId cpu, Nanos begin, Nanos end) {
        CpuStats& of = cpus[cpu];
        idle += end - begin;
        of.idle += end - begin;
        if (of.io_until > begin) [[unlikely]]
            of.io_wait += of.io_wait_in(begin, end);
    }

    // Records that a task on `cpu` requests a device and blocks (io_schedule()).
    void io_wait_began(CpuId cpu) {
        ++cpus[cpu].nr_iowait;
        cpus[cpu].io_until = kHorizon;
    }
    // Records that a task that ran last on `cpu` has been woken from a wait for a device.
    void io_wait_ended(CpuId cpu, Nanos now) {
        CpuStats& of = cpus[cpu];
        if (of.nr_iowait == 0) return;
        if (--of.nr_iowait == 0) of.io_until = now;
    }

    // Models nr_iowait(): the number of tasks that wait for a device in TASK_UNINTERRUPTIBLE.
    std::uint32_t nr_iowait() const {
        std::uint32_t all = 0;
        for (const CpuStats& cpu : cpus) all += cpu.nr_iowait;
        return all;
    }

    // Records the load at a tick, before the timers of this tick expire. Called at tick load.next_tick().
    [[gnu::noinline]] void sample_load(const Machine& m, LoadRule rule) {
        load.tick(m.globals().ticks, m.shape().hz, rule, m.globals().nr_running + nr_iowait());
    }

    void count_yield(TaskId p) {
        ++yields;
        ++tasks[p].yields;
    }

    void count_syscall(CpuId cpu, TaskId p, Nanos span, Nanos extra) {
        ++syscalls;
        tasks[p].system += span;
        cpus[cpu].latest = {.syscall = true, .extra = extra};
        cpus[cpu].charged = p;
    }

    // Records that p has ended a job, `lateness` after the deadline. `gave_up`: p abandoned the job at the
    // deadline. `skipped_releases`: number of releases that p has skipped.
    void count_job(TaskId p, Nanos lateness, bool gave_up, std::uint64_t skipped_releases = 0) {
        for (DeadlineCounts* counts : {&deadlines[p].counts, &deadlines_in_all}) {
            counts->add_job(lateness, gave_up);
            counts->missed += skipped_releases;
        }
        deadlines[p].user_before = tasks[p].user;
    }

    // Records that p has been forked. p's row may have belonged to another task, and p may be the first
    // thread of a process.
    void reset_task_row(const Machine& m, TaskId p) {
        former_jobs.add(tasks[p], jobs[p]);
        tasks[p] = {};
        jobs[p] = {};
        if (!deadlines.empty()) deadlines[p] = {};
        const MmId mm = m.task[p].mm;
        if (is_shared_by_name(mm) && m.mm(mm).users == 1) exited_threads[mm - 1] = {};
    }

    // Records that p has exited; p's row is about to be freed.
    void count_exit(const Machine& m, TaskId p) {
        ++exit_switches;
        jobs[p].finish = m.globals().now;
        const Task& task = m.task[p];
        if (!is_shared_by_name(task.mm)) return;
        ExitedThreads& gone = exited_threads[task.mm - 1];
        gone.user += tasks[p].user;
        gone.system += tasks[p].system;
        if (gone.pid != 0 && gone.pid < task.pid) return;
        gone.pid = task.pid;
        gone.ordinal = task.ordinal;
        gone.group = task.group;
        gone.last_processor = task.last_processor;
        gone.first = tasks[p];
    }

    void count_interrupt(Interrupt which) { ++interrupts[static_cast<std::size_t>(which)]; }

    // Records an interrupt that occupies `cpu` for the time stolen + handler_time. `enters_kernel`: the CPU
    // was not in the kernel before.
    void add_interrupt_time(CpuId cpu, TaskId current, bool enters_kernel, Nanos stolen, Nanos handler_time) {
        CpuStats& of = cpus[cpu];
        if (enters_kernel) {
            of.latest = {};
            of.charged = current;
        }
        of.latest.stolen += stolen;
        of.latest.interrupts += handler_time;
    }

    [[gnu::always_inline]] void count_schedule(const Machine& m, const ScheduleCall& call) {
        const Decision& d = call.decision;
        ++schedule_calls;
        syscalls += call.from_syscall;
        considered += d.considered;
        recalculations += d.recalculations;
        recalculated += d.recalculated;
        queue_steps += d.queue_steps;
        ++queue_length[m.globals().nr_running];
        TaskStatistics& before = tasks[call.prev];
        before.system += call.span;
        CpuStats& cpu = cpus[call.cpu];
        cpu.latest = call.work();
        cpu.charged = call.prev;
        if (!call.switched) {
            idle_exits() += call.from_idle;
            return;
        }

        const Nanos now = m.globals().now;
        yields_switched += call.after_yield;
        if (call.voluntary) {
            ++switches.voluntary;
            ++before.voluntary;
        } else if (call.from_idle) {
            ++switches.from_idle;
            ++idle_exits();
        } else {
            ++switches.involuntary;
            ++before.involuntary;
            before.ready_since = now;
            if (jobs[call.prev].first_run == now) [[unlikely]]
                undo_first_run(call.prev);
        }
        mm_loads += call.loads_mm;
        ++cpu.switches;
        if (call.to_idle) {
            ++switches.to_idle;
            ++cpu.to_idle;
            return;
        }
        if (call.mm == kKernelMm)
            ++switches.kernel_thread;
        else if (call.other_mm)
            ++switches.other_mm;
        else
            ++switches.same_mm;
        TaskStatistics& next = tasks[d.next];
        next.ready += now - next.ready_since;
        if (next.ready < Nanos{}) [[unlikely]]
            begin_first_run(d.next, now);
    }

  private:
    [[gnu::noinline]] void begin_first_run(TaskId p, Nanos now) {
        tasks[p].ready -= TaskStatistics::kNotRunYet;
        jobs[p].arrival = tasks[p].ready_since;
        jobs[p].first_run = now;
    }

    // Undoes begin_first_run(), because p loses the CPU at the same time at which it was first chosen. So p
    // has not run yet, and has been ready since its arrival.
    [[gnu::noinline]] void undo_first_run(TaskId p) {
        tasks[p].ready += TaskStatistics::kNotRunYet;
        tasks[p].ready -= jobs[p].first_run - jobs[p].arrival;
        tasks[p].ready_since = jobs[p].arrival;
        jobs[p].first_run = JobTimes::kNever;
    }

    std::uint64_t& idle_exits() { return work[static_cast<std::size_t>(KernelWork::idle_exit)]; }

    // Whether the address space has a name in the scenario, so that several tasks can share it.
    bool is_shared_by_name(MmId mm) const { return mm != kKernelMm && mm <= exited_threads.size(); }

    WaitAttribution& attribution_of(ChannelId channel, std::uint32_t waiter, std::uint32_t waker) {
        const auto key = [](const WaitAttribution& b) { return std::tuple(b.channel, b.waiter, b.waker); };
        const auto wanted = std::tuple(channel, waiter, waker);
        const auto place =
            std::lower_bound(wait_attributions.begin(), wait_attributions.end(), wanted,
                             [&](const WaitAttribution& b, const auto& k) { return key(b) < k; });
        if (place != wait_attributions.end() && key(*place) == wanted) return *place;
        return *wait_attributions.insert(place, {.channel = channel, .waiter = waiter, .waker = waker});
    }
};

}  // namespace sim
