// The complete changing state of a simulation in one block of memory: clock, CPUs, task table, run queues,
// pending timers and channels.
//
// The block contains ids and indices but no pointers, and its size is fixed by the scenario. Copying a
// Machine copies the block, so snapshots, rewinding and what-if runs are cheap. Fixed input is in Scenario,
// results are in Statistics; nothing else has state. The only exception is the index `ready`: during
// Engine::run() it contains some of the state instead of the block.
//
// Fields that schedulers iterate over are columns: the search reads the counters and links of a few tasks, a
// recalculation reads all counters and priorities in sequence. The other fields of a task are one row, which
// is one cache line.
//
// Invariants, checked by check_invariants() (sim/check/invariants.h):
// 1. Each row of the task table, except those of idle tasks, is in exactly one state: unused, running on one
// CPU, ready, asleep with one timer, or waiting on one channel.
// 2. nr_running is the number of ready and running tasks. nr_tasks is the number of tasks in any state except
// unused. Both numbers exclude idle tasks.
// 3. The mm_count of an address space is 1 for all of its tasks together plus 1 for each CPU that borrows it.
// 4. The counter of a SCHED_OTHER task is from 0 to twice the largest priority of any task.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/base/types.h"
#include "sim/core/event_queue.h"
#include "sim/core/ready_index.h"
#include "sim/core/resched_cause.h"

namespace sim {

// Dimensions and constants of a Machine, fixed during a run.
struct MachineShape {
    std::uint32_t cpus = 1;
    std::uint32_t tasks = 0;  // rows of the task table, excluding those of idle tasks
    std::uint32_t channels = 0;
    std::uint32_t loop_depth = 0;  // maximum nesting of loops in any program
    std::uint32_t mms = 0;         // number of address spaces, including the kernel's
    // Number of address spaces that have a name in the scenario ("mm"), so that task groups can share them.
    // Their ids are 1..shared_mms.
    std::uint32_t shared_mms = 0;
    std::uint32_t recent = 0;      // maximum length of a CPU's list of recent tasks (residency.h)
    std::uint32_t hz = 100;        // HZ: timer interrupts (ticks) per second; slices are counted in ticks
    std::uint32_t siblings = 1;    // hardware threads per core; CPU c is on core c / siblings
    std::uint32_t cores = 64;      // cores per socket; CPU c is on socket c / siblings / cores
    std::uint64_t seed = 1;        // seed for policies that use random numbers
    std::uint32_t task_bytes = 0;  // policy state per task (Policy::state_size())
    std::uint32_t cpu_bytes = 0;   // policy state per CPU
    bool has_jobs = false;         // some task has a deadline
    bool has_blocks = false;       // some intervention of the scenario blocks a task

    bool operator==(const MachineShape&) const = default;
};

struct Globals {
    Nanos now;            // current time; no pending event is earlier
    std::uint64_t ticks;  // `jiffies`
    Nanos next_tick;      // time at which `ticks` increases next
    // Time of the next timer interrupt: next_tick, or earlier if CPUs have phases (tick_phases.h).
    Nanos next_interrupt;
    // The CPUs that take the next timer interrupt: an index into tick_groups().
    std::uint32_t tick_group;
    std::uint64_t decisions;      // calls of schedule()
    std::uint64_t switches;       // schedule() calls that chose another task, including idle tasks
    std::uint64_t next_sequence;  // see Machine::sequence
    std::uint64_t events;         // wake-ups, timer interrupts, CPU deadlines, interventions of the scenario
    std::uint64_t events_at_last_advance;  // value of `events` when the clock last advanced
    std::uint32_t nr_running;              // ready and running tasks, excluding idle tasks
    std::uint32_t nr_tasks;                // live tasks in any state, excluding idle tasks
    std::uint32_t high_row;                // 1 + the highest row of the task table that has been used
    std::uint32_t free_row;                // head of the list of freed rows of the task table, or kNoTask
    std::uint32_t next_pid;
    MmId next_mm;                     // lowest id never used
    MmId free_mm;                     // head of the list of freed ids, or kKernelMm
    std::uint32_t interventions;      // number of interventions in this branch of the run (intervention.h)
    std::uint32_t next_intervention;  // index of the next intervention in Scenario::interventions
    StopReason stopped;               // meaningful if is_stopped
    bool is_stopped;                  // the run has ended early; no event can follow
};

// A CPU is in the kernel until kernel_until. Then it runs the current task's burst until burst_end or,
// without a task, idles.
struct Cpu {
    TaskId current;               // the CPU's idle task if there is nothing to run
    bool need_resched;            // honoured on return to user mode, as in entry.S of Linux 2.0
    bool ipi_pending;             // a reschedule IPI has not been handled yet
    std::uint32_t pending_steps;  // queue steps since the last schedule(), charged to the next schedule()
    MmId active_mm;      // address space of the current task or, with lazy TLB, a borrowed address space
    bool left_mm;        // leave_mm(): the CPU loaded init_mm's page tables instead of flushing a borrowed mm
    ReschedCause cause;  // why need_resched is set; not hashed, because it does not influence the run
    // The task that caused the request (set_need_resched()), such as a woken task; kNoTask: no task.
    TaskId caused_by;
    std::uint32_t tlb_flushes;
    std::uint32_t recent;        // length of the CPU's list of recent tasks (residency.h)
    std::uint32_t previous_cpu;  // CPU where the current task ran before, or kNoProcessor
    Nanos pending_work;          // cost of KernelWork, charged when the current task leaves the kernel
    Nanos kernel_until;          // end of the system call or schedule() in progress
    Nanos burst_end;             // end of the current task's burst; meaningful if the CPU is not idle
    Nanos deadline;              // time of the CPU's next event (not of a job's deadline); kHorizon: none
};

// An object on which tasks wait until it has enough tokens. Its kind is in Scenario::channels.
struct Channel {
    // The meaning depends on the kind. channel: unconsumed wake-ups. parking: 1 if there is a permit. lock: 1
    // if the lock is free. pipe_readers: bytes in the pipe. pipe_writers: free bytes in the pipe. device:
    // free servers.
    std::uint32_t tokens;
    TaskId first;  // the first waiting task; Task::wait_next links it to the next; kNoTask: none
    TaskId last;
    TaskId owner;  // holder of a lock, or kNoTask
};

struct Mm {
    std::uint32_t users;  // number of tasks with this mm (mm_users); in a free row, the next free id
    std::uint32_t count;  // mm_count: 1 for all of its tasks together, plus 1 for each CPU that borrows it
};

// A task that may still have entries in a CPU's TLB and cache (residency.h).
struct RecentTask {
    TaskId task;
    std::uint32_t tlb_flushes;  // Cpu::tlb_flushes at the time when the task's translations were loaded
};

// The state of a task, except for the fields that Machine stores as columns.
struct alignas(64) Task {
    Nanos remaining;  // CPU time that the current burst still needs; 0 between program steps
    // In the states interruptible, on_timer and in_service: end of the sleep. In the state waiting: service
    // time of the request if the task waits for a device, otherwise 0.
    Nanos wake_at;
    std::uint64_t stream;        // state of the task's random numbers (rng.h)
    std::uint64_t birth_stream;  // state of the random numbers that seed the streams of the task's children
    StepId step;                 // next step of the task's program
    MmId mm;                     // kKernelMm for kernel threads
    TaskId wait_next;            // next task waiting on the channel, or next free row
    // Channel of the wait, from the beginning of the sleep until the wait is complete, which can be later
    // than the wake-up. Otherwise kNoChannel.
    ChannelId waiting_on;
    std::uint32_t pid;
    std::uint32_t ordinal;         // number within the group, from 1; pid if forked or after exec
    std::uint16_t group;           // index into Scenario::groups
    std::uint16_t processor;       // the CPU on which the task runs, or kNoProcessor
    std::uint16_t last_processor;  // the CPU on which the task ran last, or kNoProcessor
    TaskState state;
    // A value that the policy defines: SCHED_YIELD (Linux 2.2, 2.4), level (nt4), CPU of the task's current
    // or last run queue (task_cpu(), 2.6 and later); otherwise 0.
    std::uint8_t policy_byte;

    static constexpr std::uint16_t kNoProcessor = 0xffff;
};
static_assert(sizeof(Task) == 64);  // a cache line

// The parent of a task. The pid identifies the parent, because the parent's row may be reused. pid 0: there
// is no parent, or the parent is not recorded.
struct ParentTask {
    TaskId row;
    std::uint32_t pid;
};

// Arrival of a task (its start or fork), and release of its current or next job.
struct Job {
    Nanos arrival, release;
    bool stops_at_deadline;  // the current job ends at its deadline, before its work is done
};

// One column of the task table, as a view of the machine's block.
template <class T>
class Column {
  public:
    T& operator[](TaskId p) { return assert(p < size_), data_[p]; }
    const T& operator[](TaskId p) const { return assert(p < size_), data_[p]; }
    T* data() { return data_; }
    const T* data() const { return data_; }
    std::uint32_t size() const { return size_; }

  private:
    friend class Machine;
    T* data_ = nullptr;
    std::uint32_t size_ = 0;
};

class Machine {
  public:
    // Constructs an empty machine: time 0, all CPUs idle, all rows unused.
    explicit Machine(const MachineShape& shape);
    Machine(const Machine& other);
    Machine(Machine&& other) noexcept;
    // The shapes may differ; this machine gets the shape of `other`.
    Machine& operator=(const Machine& other);
    Machine& operator=(Machine&& other) noexcept;
    ~Machine() = default;

    const MachineShape& shape() const { return shape_; }
    std::size_t bytes() const { return block_.size() * sizeof(CacheLine); }

    Globals& globals() { return *globals_; }
    const Globals& globals() const { return *globals_; }
    Cpu& cpu(CpuId c) { return assert(c < shape_.cpus), cpus_[c]; }
    const Cpu& cpu(CpuId c) const { return assert(c < shape_.cpus), cpus_[c]; }
    Channel& channel(ChannelId c) { return assert(c < shape_.channels), channels_[c]; }
    const Channel& channel(ChannelId c) const { return assert(c < shape_.channels), channels_[c]; }
    // The address space with this id (address_space.h).
    Mm& mm(MmId id) { return assert(id < shape_.mms), mms_[id]; }
    const Mm& mm(MmId id) const { return assert(id < shape_.mms), mms_[id]; }
    // List of the tasks that ran latest on c, latest first; its length is cpu(c).recent.
    RecentTask* recent(CpuId c) { return recent_ + std::size_t{c} * shape_.recent; }
    const RecentTask* recent(CpuId c) const { return recent_ + std::size_t{c} * shape_.recent; }
    EventQueue events() { return {events_, first_leaf_}; }
    const EventQueue events() const { return {events_, first_leaf_}; }

    // Rows [0, cpus) are the idle tasks; rows [first_task(), globals().high_row) have been used by tasks.
    TaskId first_task() const { return shape_.cpus; }
    bool is_idle_task(TaskId p) const { return p < shape_.cpus; }
    bool is_live(TaskId p) const { return task[p].state != TaskState::unused; }
    // Whether p sleeps and the event queue contains its wake-up.
    bool has_event(TaskId p) const {
        const TaskState state = task[p].state;
        return state == TaskState::interruptible || state == TaskState::on_timer ||
               state == TaskState::in_service;
    }

    // Allocates a free row. The task is runnable, may run on all CPUs and has a new pid; its other fields
    // are zero or "none". Returns kNoTask if the table is full.
    TaskId allocate_task();
    // Frees the row of p. REQUIRES: p has exited and is on no queue.
    void free_task(TaskId p);

    // Requests a schedule() at the next return to user mode. `ipi_latency`: latency of the IPI. A CPU
    // that is in a system call at the time of the request notices the flag at the end of the call, even if
    // the IPI arrives later.
    void set_need_resched(CpuId c, ReschedCause cause, TaskId caused_by = kNoTask, Nanos ipi_latency = {}) {
        Cpu& target = cpu(c);
        if (!target.need_resched) {
            target.cause = cause;
            target.caused_by = caused_by;
        }
        target.need_resched = true;
        const Nanos noticed = globals_->now + ipi_latency;
        const Nanos honoured = target.kernel_until > noticed ? target.kernel_until : noticed;
        if (honoured < target.deadline) target.deadline = honoured;
    }

    // Records that p runs on CPU c from now on.
    void set_running_task(TaskId p, CpuId c) {
        cpus_[c].previous_cpu = task[p].last_processor;
        task[p].processor = task[p].last_processor = static_cast<std::uint16_t>(c);
    }

    // Whether p will go to sleep on its next return to user mode because of an intervention.
    bool has_pending_block(TaskId p) const { return shape_.has_blocks && block[p] != 0; }

    // Whether p's affinity allows this CPU (cpus_allowed).
    bool may_run(TaskId p, CpuId c) const { return shape_.cpus == 1 || (cpus_allowed[p] >> c & 1) != 0; }

    // CPU time that p's current or next burst still needs. It does not decrease while p is in the kernel.
    Nanos remaining_burst(TaskId p) const {
        const Task& t = task[p];
        if (t.processor == Task::kNoProcessor || is_idle_task(p)) return t.remaining;
        const Cpu& cpu = cpus_[t.processor];
        return cpu.burst_end - (globals_->now > cpu.kernel_until ? globals_->now : cpu.kernel_until);
    }

    // Remaining iterations of the loop at nesting level `depth` of p's program.
    std::uint32_t& loops_left(TaskId p, std::uint32_t depth) {
        assert(depth < shape_.loop_depth);
        return loops_left_[std::size_t{p} * shape_.loop_depth + depth];
    }
    std::uint32_t loops_left(TaskId p, std::uint32_t depth) const {
        return loops_left_[std::size_t{p} * shape_.loop_depth + depth];
    }

    // Policy state of a task (initially zero) or a CPU (Policy::initialize_cpu_state()). REQUIRES: T is the
    // struct that this policy uses.
    template <class T>
    T& of_task(TaskId p) {
        return *policy_state<T>(kept_of_tasks_, p, shape_.task_bytes);
    }
    template <class T>
    const T& of_task(TaskId p) const {
        return *policy_state<const T>(kept_of_tasks_, p, shape_.task_bytes);
    }
    template <class T>
    T& of_cpu(CpuId c) {
        return *policy_state<T>(kept_of_cpus_, c, shape_.cpu_bytes);
    }
    template <class T>
    const T& of_cpu(CpuId c) const {
        return *policy_state<const T>(kept_of_cpus_, c, shape_.cpu_bytes);
    }

    // The policy's state as 64-bit words, for policies whose state is defined at load time (scripts).
    std::int64_t* policy_state_words(TaskId p) {
        return reinterpret_cast<std::int64_t*>(kept_of_tasks_ + std::size_t{p} * shape_.task_bytes);
    }
    const std::int64_t* policy_state_words(TaskId p) const {
        return reinterpret_cast<const std::int64_t*>(kept_of_tasks_ + std::size_t{p} * shape_.task_bytes);
    }
    std::int64_t* policy_state_words_of_cpu(CpuId c) {
        return reinterpret_cast<std::int64_t*>(kept_of_cpus_ + std::size_t{c} * shape_.cpu_bytes);
    }
    const std::int64_t* policy_state_words_of_cpu(CpuId c) const {
        return reinterpret_cast<const std::int64_t*>(kept_of_cpus_ + std::size_t{c} * shape_.cpu_bytes);
    }

    // End of the current slice; kHorizon: no slice. Stored in the last word of the CPU's policy state.
    // REQUIRES: Policy::has_slices().
    Nanos slice_end(CpuId c) const {
        return Nanos{policy_state_words_of_cpu(c)[shape_.cpu_bytes / sizeof(std::int64_t) - 1]};
    }
    void set_slice_end(CpuId c, Nanos end) {
        policy_state_words_of_cpu(c)[shape_.cpu_bytes / sizeof(std::int64_t) - 1] = end.count();
    }

    // Replaces the policy state by zeroed state of these sizes. If the sizes change, all references into
    // the block become invalid.
    void resize_policy_state(std::uint32_t task_bytes, std::uint32_t cpu_bytes);

    // A digest of all live state. Equal states have equal digests on every platform.
    std::uint64_t hash() const;

    // --- the task table; columns are indexed by TaskId ---

    // Fields stored as columns, because the loops of schedulers read only these fields.
    Column<std::int32_t> counter;       // ticks left of the time slice
    Column<std::int32_t> priority;      // ticks granted by a recalculation; 20 - nice
    Column<TaskId> next_run, prev_run;  // next_run is kNoTask if the task is not queued (run_queue.h)
    Column<SchedClass> sched_class;
    Column<std::int32_t> rt_priority;  // 1..99 for fifo and rr
    // Order of arrival in the queue (smaller: earlier). If each CPU has a run queue: the time in ns at which
    // the task last lost its CPU.
    Column<std::uint64_t> sequence;

    // One row per task, because a wake-up needs most of the fields of one task.
    Column<Task> task;

    Column<std::uint64_t> cpus_allowed;  // one bit per CPU; no rows if there is one CPU
    // The CPU whose list of recent tasks contains the task, or kNoProcessor. No rows if neither TLB nor
    // cache is modelled.
    Column<std::uint16_t> resident_on;

    Column<Job> job;  // no rows if no task has a deadline

    // 1 + index of the intervention that blocks p when p next returns to user mode; 0: none. No rows if no
    // intervention blocks tasks.
    Column<std::uint32_t> block;

    Column<ParentTask> parent;  // used by policies that return an exiting task's ticks to its parent

    // An index of the run queue. While the index exists, recalculations are not yet applied to sleeping
    // tasks. The index exists only within Engine::run() and is neither copied nor hashed.
    ReadyIndex ready;

  private:
    // Calls visit(column, rows) for each part of the block, in layout order.
    template <class Visitor>
    void for_each_block_part(Visitor visit);
    void update_column_views();

    // The bytes are hashed, so T must have no padding.
    template <class T>
    static T* policy_state(std::byte* begin, std::uint32_t i, [[maybe_unused]] std::uint32_t bytes) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint64_t) == 0 &&
                      std::has_unique_object_representations_v<T>);
        assert(bytes == sizeof(T));
        return reinterpret_cast<T*>(begin + std::size_t{i} * sizeof(T));
    }

    MachineShape shape_;
    struct alignas(64) CacheLine {
        std::byte bytes[64];
    };
    std::vector<CacheLine> block_;

    // Views of block_, set by update_column_views()
    Globals* globals_ = nullptr;
    Cpu* cpus_ = nullptr;
    Channel* channels_ = nullptr;
    std::uint64_t* events_ = nullptr;
    std::uint32_t first_leaf_ = 0;  // EventQueue::first_leaf()
    std::uint32_t* loops_left_ = nullptr;
    Mm* mms_ = nullptr;
    RecentTask* recent_ = nullptr;
    std::byte* kept_of_cpus_ = nullptr;
    std::byte* kept_of_tasks_ = nullptr;
};

}  // namespace sim
