// What a run adds up: switches, work, time by purpose, and the same for each task.
//
// A sink: the engine writes it and never reads it, so a run with statistics and one without are the same run.
// User and idle time is added when it is over. The scheduler's own time is not added up at all: it is counted
// work times the machine's prices, which settled_time() (summary.h) works out, together with what is in
// progress at that moment; so the parts of the time add up to the nanosecond, and a decision costs the
// statistics a handful of additions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/core/decision.h"
#include "sim/core/machine.h"
#include "sim/core/schedule_call.h"

namespace sim {

struct SwitchCounts {
    std::uint64_t voluntary = 0;    // prev was no longer runnable (Linux's nvcsw)
    std::uint64_t involuntary = 0;  // prev was still runnable: preempted, or it yielded (Linux's nivcsw)
    std::uint64_t from_idle = 0;
    std::uint64_t to_idle = 0;
    std::uint64_t kernel_thread = 0;  // to a task without an mm of its own that is not idle
    std::uint64_t same_mm = 0;
    std::uint64_t other_mm = 0;

    // voluntary + involuntary + from_idle, and to_idle + kernel_thread + same_mm + other_mm as well.
    std::uint64_t total() const { return voluntary + involuntary + from_idle; }
};

struct alignas(64) TaskStatistics {  // a cache line
    Nanos user{};
    Nanos system{};         // system calls, and schedule() when it was this task that called it
    Nanos ready{kNotYet};   // runnable and not running, until the last switch to it; below 0 before the first
    Nanos ready_since{};    // meaningful while ready
    Nanos waiting_since{};  // meaningful while asleep
    std::uint64_t voluntary = 0, involuntary = 0, yields = 0;

    // So far below 0 that no wait makes up for it: the first switch shows by the sign of the sum.
    static constexpr Nanos kNotYet = -2 * kHorizon;
};
static_assert(sizeof(TaskStatistics) == 64);

// The life of a task as the textbooks tell a job's.
struct JobTimes {
    static constexpr Nanos kNever{-1};
    Nanos arrival = kNever;    // when it was ready for the first time; known from its first run on
    Nanos first_run = kNever;  // the schedule() that gave it the CPU first; what that costs comes after it
    Nanos finish = kNever;     // when it exited; the call itself comes after it

    bool has_run() const { return first_run != kNever; }
};

// What textbooks compare schedulers by, added up over jobs.
struct JobSums {
    std::uint64_t finished = 0;
    Nanos turnaround{}, waiting{};  // of those that have finished
    Nanos max_turnaround{}, max_waiting{};
    std::uint64_t computed = 0;  // finished, and had any user time
    double normalised = 0;       // of these, turnaround / user time
    std::uint64_t started = 0;   // have run
    Nanos response{}, max_response{};
    // Of those that have run or were ready for any time: how much of that time they had the CPU, in
    // millionths, and the squares of that. Whole numbers, so that all compilers add up the same.
    std::uint64_t shares = 0, share = 0, share_squared = 0;

    // What a task that has never run waited counts if it is settled.
    void add(const TaskStatistics& task, const JobTimes& job);
};

// Of the threads of a process, the tasks that share an address space by name, those that have exited while
// others have not: what the kernel keeps of them in the process that goes on.
struct ExitedThreads {
    std::uint32_t pid = 0;      // the lowest of them; 0: none has exited
    std::uint32_t ordinal = 0;  // with `group`, its name
    std::uint16_t group = 0;
    std::uint16_t last_processor = Task::kNoProcessor;
    TaskStatistics first;    // what that one did
    Nanos user{}, system{};  // of all of them
};

// What became of the jobs that are over, of those with a deadline.
struct DeadlineCounts {
    std::uint64_t met = 0, missed = 0;
    Nanos max_lateness{};  // the longest that one ended behind its deadline; 0: none did

    void ended(Nanos late, bool gave_up) {
        ++(late > Nanos{} || gave_up ? missed : met);
        max_lateness = std::max(max_lateness, late);
    }
};

struct TaskDeadlines {
    DeadlineCounts counts;
    Nanos user_before{};  // its user time when its last job ended
};

// What tasks gave the CPU up for: how often, and how long they were off it until somebody woke them.
struct WaitStatistics {
    std::uint64_t switches = 0;
    Nanos waited{};  // of the waits that are over
};

// Whom the tasks of one entry have waited for: those of which entry ended their waits.
struct Blame {
    ChannelId channel = 0;
    std::uint32_t waiter = 0, waker = 0;  // groups; kByItself: nobody did, a device or an intervention
    std::uint64_t waits = 0;
    Nanos waited{};

    static constexpr std::uint32_t kByItself = 0xffff'ffff;
};

inline void JobSums::add(const TaskStatistics& task, const JobTimes& job) {
    const Nanos ready = std::max(task.ready, Nanos{});
    if (const Nanos cpu = task.user + task.system, there = cpu + ready; there > Nanos{}) {
        const auto got = static_cast<std::uint64_t>(
            1e6 * static_cast<double>(cpu.count()) / static_cast<double>(there.count()) + 0.5);
        ++shares;
        share += got;
        share_squared += got * got;
    }
    if (!job.has_run()) return;
    const auto largest = [](Nanos& most, Nanos span) { most = std::max(most, span); };
    ++started;
    response += job.first_run - job.arrival;
    largest(max_response, job.first_run - job.arrival);
    if (job.finish == JobTimes::kNever) return;
    const Nanos whole = job.finish - job.arrival;
    ++finished;
    turnaround += whole;
    waiting += ready;
    largest(max_turnaround, whole);
    largest(max_waiting, ready);
    if (task.user == Nanos{}) return;
    ++computed;
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
    std::uint64_t considered = 0, recalcs = 0, recalculated = 0, queue_steps = 0;
    std::uint64_t mm_loads = 0;      // switches that loaded another address space, idle's included
    std::uint64_t lazy_avoided = 0;  // those that would have, but for lazy TLB
    std::uint64_t tlb_flushes = 0;   // but for those loads: by exec and munmap
    std::uint64_t flush_ipis = 0,
                  left_mms = 0;  // CPUs asked to flush; and of them those that left the mm instead
    std::uint64_t reschedule_ipis = 0, migrations = 0;  // IPIs sent; none to a CPU that waits in mwait
    std::array<std::uint64_t, kKernelWorks> work{};     // by KernelWork
    std::uint64_t tlb_entries = 0, cache_lines = 0, streamed_lines = 0;  // refilled
    std::uint64_t timer_wake_ups = 0;                     // by timers that tasks have set themselves
    std::array<std::uint64_t, kInterrupts> interrupts{};  // handled so far, by Interrupt
    std::uint64_t steals = 0;                             // times that a halted CPU waited for its host
    std::uint64_t forks = 0, exits = 0;
    Nanos stated{};  // what programs say that they are in the kernel, besides all prices
    Nanos user{}, idle{};
    std::vector<TaskStatistics> tasks;  // by TaskId
    std::vector<JobTimes> jobs;         // by TaskId
    JobSums former_jobs;                // those whose row is another's by now
    std::vector<std::uint64_t>
        queue_length;  // schedule() calls that had so many tasks to choose from, prev included

    // Voluntary switches by their cause; with those of waits they are all there are.
    WaitStatistics arrivals;            // for something from outside
    WaitStatistics sleeps;              // for the task's own timer
    std::uint64_t exit_switches = 0;    // for good
    std::vector<WaitStatistics> waits;  // by ChannelId
    std::vector<Blame> blames;          // ordered by channel, waiter, waker

    // What a CPU did.
    struct OfCpu {
        CallWork latest;     // what it was last in the kernel for, to be settled when it still is
        TaskId charged = 0;  // and for whom
        std::uint64_t switches = 0, to_idle = 0, migrations = 0;
        Nanos idle{};
    };
    std::vector<OfCpu> cpus;

    std::vector<ExitedThreads> exited_threads;  // by the address space that they shared, from 1

    std::vector<TaskDeadlines> deadlines;  // by TaskId; no rows where nobody has deadlines
    DeadlineCounts deadlines_in_all;

    std::uint64_t interrupts_of(Interrupt which) const { return interrupts[static_cast<std::size_t>(which)]; }

    WorkTotals totals() const {
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

    // p, which was asleep, or is new, was made ready.
    void became_ready(TaskId p, Nanos now) { tasks[p].ready_since = now; }

    void fell_asleep(TaskId p, Nanos now, WaitStatistics& cause) {
        ++cause.switches;
        tasks[p].waiting_since = now;
    }

    // The wait of a task of group `waiter` is over; a task of group `waker` has ended it.
    void wait_ended(TaskId p, Nanos now, ChannelId channel, std::uint32_t waiter, std::uint32_t waker) {
        const Nanos span = now - tasks[p].waiting_since;
        waits[channel].waited += span;
        Blame& blame = blame_of(channel, waiter, waker);
        ++blame.waits;
        blame.waited += span;
    }
    // The same, of a task that waited for none of the others; `cause` is arrivals or sleeps.
    void sleep_ended(TaskId p, Nanos now, WaitStatistics& cause) {
        cause.waited += now - tasks[p].waiting_since;
    }

    void ran(TaskId p, Nanos span) {
        user += span;
        tasks[p].user += span;
    }

    void idled(CpuId cpu, Nanos span) {
        idle += span;
        cpus[cpu].idle += span;
    }

    void yielded(TaskId p) {
        ++yields;
        ++tasks[p].yields;
    }

    void returned_from_syscall(CpuId cpu, TaskId p, Nanos span, Nanos extra) {
        ++syscalls;
        tasks[p].system += span;
        cpus[cpu].latest = {.syscall = true, .extra = extra};
        cpus[cpu].charged = p;
    }

    // p has ended a job, so long after its deadline, or given it up there, and left out so many.
    void job_ended(TaskId p, Nanos late, bool gave_up, std::uint64_t left_out = 0) {
        for (DeadlineCounts* counts : {&deadlines[p].counts, &deadlines_in_all}) {
            counts->ended(late, gave_up);
            counts->missed += left_out;
        }
        deadlines[p].user_before = tasks[p].user;
    }

    // p was forked: in a row that may have been another's, and perhaps as the first thread of a new process.
    void row_reused(const Machine& m, TaskId p) {
        former_jobs.add(tasks[p], jobs[p]);
        tasks[p] = {};
        jobs[p] = {};
        if (!deadlines.empty()) deadlines[p] = {};
        const MmId mm = m.task[p].mm;
        if (has_threads(mm) && m.mm(mm).users == 1) exited_threads[mm - 1] = {};
    }

    // p, which has exited, is about to be forgotten.
    void released(const Machine& m, TaskId p) {
        ++exit_switches;
        jobs[p].finish = m.globals().now;
        const Task& task = m.task[p];
        if (!has_threads(task.mm)) return;
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

    void interrupted(Interrupt which) { ++interrupts[static_cast<std::size_t>(which)]; }

    // Such a one, whose handler, and the host before it, keep `cpu` that long. `begins` says that the CPU
    // was not in the kernel when it came.
    void interrupted(CpuId cpu, TaskId current, bool begins, Nanos stolen, Nanos handler) {
        OfCpu& of = cpus[cpu];
        if (begins) {
            of.latest = {};
            of.charged = current;
        }
        of.latest.stolen += stolen;
        of.latest.interrupts += handler;
    }

    // A call of schedule(), after the switch.
    [[gnu::always_inline]] void scheduled(const Machine& m, const ScheduleCall& call) {
        const Decision& d = call.decision;
        ++schedule_calls;
        syscalls += call.from_syscall;
        considered += d.considered;
        recalcs += d.recalcs;
        recalculated += d.recalculated;
        queue_steps += d.queue_steps;
        ++queue_length[m.globals().nr_running];
        TaskStatistics& before = tasks[call.prev];
        before.system += call.span;
        OfCpu& cpu = cpus[call.cpu];
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
            runs_first(d.next, now);
    }

  private:
    [[gnu::noinline]] void runs_first(TaskId p, Nanos now) {
        tasks[p].ready -= TaskStatistics::kNotYet;
        jobs[p].arrival = tasks[p].ready_since;
        jobs[p].first_run = now;
    }

    std::uint64_t& idle_exits() { return work[static_cast<std::size_t>(KernelWork::idle_exit)]; }

    // Whether tasks share this address space by name.
    bool has_threads(MmId mm) const { return mm != kKernelMm && mm <= exited_threads.size(); }

    Blame& blame_of(ChannelId channel, std::uint32_t waiter, std::uint32_t waker) {
        const auto key = [](const Blame& b) { return std::tuple(b.channel, b.waiter, b.waker); };
        const auto wanted = std::tuple(channel, waiter, waker);
        const auto place = std::lower_bound(blames.begin(), blames.end(), wanted,
                                            [&](const Blame& b, const auto& k) { return key(b) < k; });
        if (place != blames.end() && key(*place) == wanted) return *place;
        return *blames.insert(place, {.channel = channel, .waiter = waiter, .waker = waker});
    }
};

}  // namespace sim
