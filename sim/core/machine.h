// Everything that changes while a simulation runs, in one block of memory: the clock, the CPUs, the task
// table, the run queues, the pending timers and the channels.
//
// The block holds ids and indices and no pointers, and is sized once, from the scenario. Copying a Machine
// copies that block: this is what makes a snapshot, a rewind and a what-if cheap. What does not change during
// a run is in Scenario, what one only wants to know is in Statistics, and nothing else has state. (While
// Engine::run() is at work, a second form of some of it stands beside the block: `ready`. When run() returns,
// all is in the block.)
//
// What schedulers loop over is in columns rather than structs: the search of schedule() touches the counter
// and the link of a few tasks, and the recalculation streams the counters and priorities of all of them. The
// rest of a task is one row, a cache line.
//
// Invariants, checked by broken_invariant() (sim/check/invariants.h):
//   1. A task is in exactly one place: unused, running on one CPU, ready, asleep with one timer, or waiting
//   on
//      one channel.
//   2. nr_running counts the ready and the running tasks, nr_tasks all that are not unused.
//   3. An address space is counted once for its tasks, and once for each CPU that has borrowed it.
//   4. The counter of a SCHED_OTHER task is never negative and never above twice its largest priority.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/base/types.h"
#include "sim/core/event_queue.h"
#include "sim/core/ready_index.h"

namespace sim {

// How large a Machine must be; fixed for a run.
struct MachineShape {
    std::uint32_t cpus = 1;
    std::uint32_t tasks = 0;  // rows for tasks, the idle tasks not counted
    std::uint32_t channels = 0;
    std::uint32_t loop_depth = 0;  // the deepest nesting of loops in any program
    std::uint32_t mms = 0;         // address spaces, the kernel's included
    std::uint32_t shared_mms = 0;  // of them those that tasks share by name: ids 1..shared_mms
    std::uint32_t recent = 0;      // for each CPU, the latest tasks that its TLB and cache remember
    std::uint32_t hz = 100;        // timer interrupts a second: a kernel's HZ, of which slices are made
    std::uint32_t siblings = 1;    // hardware threads of a core; CPU c is on core c / siblings
    std::uint32_t cores = 64;      // of a socket, in the same way; more than there are: one socket
    std::uint64_t seed = 1;        // of the scenario, for a policy that draws
    std::uint32_t task_bytes = 0;  // what the policy keeps of each task
    std::uint32_t cpu_bytes = 0;   // and for each CPU (Policy::keeps())
    bool has_jobs = false;         // somebody has a deadline to meet (jobs.h)

    bool operator==(const MachineShape&) const = default;
};

// What there is once in a machine.
struct Globals {
    Nanos now;            // no event before this instant is left
    std::uint64_t ticks;  // timer interrupts so far (`jiffies`)
    Nanos next_tick;
    std::uint64_t decisions;      // calls of schedule() so far
    std::uint64_t switches;       // those that changed the running context, idle included
    std::uint64_t next_sequence;  // see Machine::sequence
    std::uint64_t events;         // wake-ups by timers, timer interrupts and deadlines of CPUs so far
    std::uint64_t instant_began;  // `events` when the clock moved last, to notice one that stands still
    std::uint32_t nr_running;     // ready and running tasks, idle tasks not counted
    std::uint32_t nr_tasks;       // tasks alive, whatever their state, idle tasks not counted
    std::uint32_t high_row;       // one more than the highest row ever used
    std::uint32_t free_row;       // head of the list of rows freed by exit, or kNoTask
    std::uint32_t next_pid;
    MmId next_mm;                 // the lowest that was never used
    MmId free_mm;                 // head of the list of those given back, or kKernelMm
    std::uint32_t interventions;  // from outside, so far (intervention.h)
    StopReason stopped;           // meaningful once is_stopped
    bool is_stopped;              // the run is over, before its time: nothing can happen any more
};

// One row for each CPU. A CPU is in the kernel until kernel_until and then runs its current task's burst
// until burst_end; an idle CPU has neither.
struct Cpu {
    TaskId current;     // the idle task of this CPU when it has nothing to do
    bool need_resched;  // honoured on the way back to user mode, as 2.0's entry.S does
    bool ipi_pending;   // another CPU has sent an interrupt to reschedule, which has not been handled yet
    std::uint32_t
        pending_steps;  // queue steps made since the last schedule(), which that schedule() will pay for
    MmId
        active_mm;  // the current task's own address space or, where the TLB is lazy, the one it has borrowed
    bool left_mm;   // leave_mm(): asked to flush what is only borrowed, it has loaded init_mm's tables
    std::uint32_t tlb_flushes;  // so far
    std::uint32_t recent;       // how many tasks its TLB and cache remember (residency.h)
    std::uint32_t came_from;    // the CPU on which the current task ran before; kNoProcessor for none
    Nanos pending_work;  // KernelWork since the current task entered the kernel, which it will pay for on its
                         // way out
    Nanos kernel_until;  // end of the system call or schedule() in progress; user mode begins here
    Nanos burst_end;     // end of the current `run` step; meaningful unless idle
    Nanos deadline;      // when the CPU itself needs attention next; kHorizon when it does not
};

// What tasks wait on: a number that must not be 0 and a queue of those that found it so. Its kind is in
// Scenario::channels.
struct Channel {
    // Channel: wake-ups that found nobody waiting. Parking: 1 for an unpark() to come. Lock: 1 while free.
    // Pipe: bytes to read, or room to write. Device: how many more it could serve at once.
    std::uint32_t tokens;
    TaskId first;  // the tasks waiting, in order of arrival, linked by Task::wait_next; or kNoTask
    TaskId last;
    TaskId owner;  // of a lock, who holds it; otherwise kNoTask
};

// An address space.
struct Mm {
    std::uint32_t users;  // tasks that have it (mm_users); of a free one, the next free one
    std::uint32_t count;  // 1 for all of them together, and 1 for each CPU that borrows it (mm_count)
};

// A task whose translations and data a CPU may still hold (residency.h).
struct Recent {
    TaskId task;
    std::uint32_t tlb_flushes;  // Cpu::tlb_flushes when its translations were loaded
};

// What the rest of the kernel knows about a task.
struct alignas(64) Task {
    Nanos remaining;       // what is left of the burst begun; 0 between steps
    Nanos wake_at;         // while interruptible, on a timer or in service, when that ends; while waiting
                           // for a device, how long that will serve it; while waiting otherwise, 0
    std::uint64_t stream;  // its random numbers (rng.h)
    std::uint64_t birth_stream;  // draws the streams of its children
    StepId step;                 // the step of its program that comes next
    MmId mm;                     // kKernelMm for kernel threads
    TaskId wait_next;            // the next task waiting on the channel; links free rows, too
    ChannelId
        waiting_on;  // while waiting, in service, and until a wait that was woken is over; or kNoChannel
    std::uint32_t pid;
    std::uint32_t ordinal;         // its number within the group, from 1
    std::uint16_t group;           // the entry of Scenario::groups that it was made from
    std::uint16_t processor;       // the CPU that it is running on, or kNoProcessor
    std::uint16_t last_processor;  // the CPU that it ran on last, or kNoProcessor
    TaskState state;
    std::uint8_t mark;  // the policy's own: SCHED_YIELD is set (Linux 2.2, 2.4), the level (nt4), the CPU
                        // whose run queue it is on or was on last (task_cpu() of 2.6 and later); else 0

    static constexpr std::uint16_t kNoProcessor = 0xffff;
};
static_assert(sizeof(Task) == 64);  // a cache line

// Who forked a task: the row may be another's by now, so the pid goes with it. No pid (0): nobody, or nobody
// asked.
struct Parent {
    TaskId row;
    std::uint32_t pid;
};

// When a task came to be, by its start or a fork, and when the job that it is at was released, or will be.
struct Job {
    Nanos arrival, release;
    bool gave_up;  // the job, at its deadline: it has computed less than it wanted
};

// One column of the task table: a view into the block.
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
    // An empty machine: time 0, every CPU idle, every row unused.
    explicit Machine(const MachineShape& shape);
    Machine(const Machine& other);
    Machine(Machine&& other) noexcept;
    // REQUIRES: the shapes are equal, or `this` may change its shape (it may).
    Machine& operator=(const Machine& other);
    Machine& operator=(Machine&& other) noexcept;
    ~Machine() = default;

    const MachineShape& shape() const { return shape_; }
    std::size_t bytes() const { return block_.size() * sizeof(Line); }

    Globals& globals() { return *globals_; }
    const Globals& globals() const { return *globals_; }
    Cpu& cpu(CpuId c) { return assert(c < shape_.cpus), cpus_[c]; }
    const Cpu& cpu(CpuId c) const { return assert(c < shape_.cpus), cpus_[c]; }
    Channel& channel(ChannelId c) { return assert(c < shape_.channels), channels_[c]; }
    const Channel& channel(ChannelId c) const { return assert(c < shape_.channels), channels_[c]; }
    // The address spaces: address_space.h.
    Mm& mm(MmId id) { return assert(id < shape_.mms), mms_[id]; }
    const Mm& mm(MmId id) const { return assert(id < shape_.mms), mms_[id]; }
    // The tasks that a CPU remembers, the latest first: as many as cpu(c).recent says.
    Recent* recent(CpuId c) { return recent_ + std::size_t{c} * shape_.recent; }
    const Recent* recent(CpuId c) const { return recent_ + std::size_t{c} * shape_.recent; }
    EventQueue events() { return {events_, first_leaf_}; }
    const EventQueue events() const { return {events_, first_leaf_}; }

    // Rows [0, cpus) are the idle tasks, rows [first_task(), globals().high_row) have been used by tasks.
    TaskId first_task() const { return shape_.cpus; }
    bool is_idle_task(TaskId p) const { return p < shape_.cpus; }
    bool is_live(TaskId p) const { return task[p].state != TaskState::unused; }
    // Whether p is asleep until an event of its own, for which there is no one else to look.
    bool has_event(TaskId p) const {
        const TaskState state = task[p].state;
        return state == TaskState::interruptible || state == TaskState::on_timer ||
               state == TaskState::in_service;
    }

    // A free row, now runnable, with a new pid and everything else zero; kNoTask when the table is full.
    TaskId allocate_task();
    // Gives the row of an exited task back. REQUIRES: p is on no queue.
    void free_task(TaskId p);

    // Asks for a schedule() on this CPU as soon as it returns to user mode, which it may be in already.
    // Another CPU is asked by an interrupt, which takes a time; if it leaves the kernel before, it sees the
    // flag then.
    void set_need_resched(CpuId c, Nanos interrupt_after = {}) {
        Cpu& target = cpu(c);
        target.need_resched = true;
        const Nanos noticed = globals_->now + interrupt_after;
        const Nanos honoured = target.kernel_until > noticed ? target.kernel_until : noticed;
        if (honoured < target.deadline) target.deadline = honoured;
    }

    // p runs on this CPU from now on.
    void run_on(TaskId p, CpuId c) {
        cpus_[c].came_from = task[p].last_processor;
        task[p].processor = task[p].last_processor = static_cast<std::uint16_t>(c);
    }

    // Whether p's affinity lets it run on this CPU (cpus_allowed). There is nothing to choose from with one.
    bool may_run(TaskId p, CpuId c) const { return shape_.cpus == 1 || (cpus_allowed[p] >> c & 1) != 0; }

    // What is left of the burst that p is in, or begins next. What is in the kernel has all of it before it.
    Nanos left_of_burst(TaskId p) const {
        const Task& t = task[p];
        if (t.processor == Task::kNoProcessor || is_idle_task(p)) return t.remaining;
        const Cpu& cpu = cpus_[t.processor];
        return cpu.burst_end - (globals_->now > cpu.kernel_until ? globals_->now : cpu.kernel_until);
    }

    // How many times `loop` at this depth still has to run in p.
    std::uint32_t& loops_left(TaskId p, std::uint32_t depth) {
        assert(depth < shape_.loop_depth);
        return loops_left_[std::size_t{p} * shape_.loop_depth + depth];
    }
    std::uint32_t loops_left(TaskId p, std::uint32_t depth) const {
        return loops_left_[std::size_t{p} * shape_.loop_depth + depth];
    }

    // What the policy keeps of a task and for a CPU, beyond the columns below, in a struct of its own: all
    // zero in a new task, and what Policy::begin() says for a CPU. REQUIRES: the policy keeps such a struct.
    template <class T>
    T& of_task(TaskId p) {
        return *kept<T>(kept_of_tasks_, p, shape_.task_bytes);
    }
    template <class T>
    const T& of_task(TaskId p) const {
        return *kept<const T>(kept_of_tasks_, p, shape_.task_bytes);
    }
    template <class T>
    T& of_cpu(CpuId c) {
        return *kept<T>(kept_of_cpus_, c, shape_.cpu_bytes);
    }
    template <class T>
    const T& of_cpu(CpuId c) const {
        return *kept<const T>(kept_of_cpus_, c, shape_.cpu_bytes);
    }

    // The same as so many words, for a policy whose structs are made when it is loaded.
    std::int64_t* kept_of_task(TaskId p) {
        return reinterpret_cast<std::int64_t*>(kept_of_tasks_ + std::size_t{p} * shape_.task_bytes);
    }
    const std::int64_t* kept_of_task(TaskId p) const {
        return reinterpret_cast<const std::int64_t*>(kept_of_tasks_ + std::size_t{p} * shape_.task_bytes);
    }
    std::int64_t* kept_of_cpu(CpuId c) {
        return reinterpret_cast<std::int64_t*>(kept_of_cpus_ + std::size_t{c} * shape_.cpu_bytes);
    }
    const std::int64_t* kept_of_cpu(CpuId c) const {
        return reinterpret_cast<const std::int64_t*>(kept_of_cpus_ + std::size_t{c} * shape_.cpu_bytes);
    }

    // When the slice of whoever runs there ends; kHorizon: it has none. The last word that the policy keeps
    // for a CPU. REQUIRES: Policy::has_slices().
    Nanos slice_end(CpuId c) const {
        return Nanos{kept_of_cpu(c)[shape_.cpu_bytes / sizeof(std::int64_t) - 1]};
    }
    void set_slice_end(CpuId c, Nanos end) {
        kept_of_cpu(c)[shape_.cpu_bytes / sizeof(std::int64_t) - 1] = end.count();
    }

    // Makes room for what another policy keeps; what this one kept is gone, and so are all references into
    // the block, if the sizes differ.
    void keep(std::uint32_t task_bytes, std::uint32_t cpu_bytes);

    // A 64-bit digest of all that is alive in the block; equal states have equal digests on every platform.
    std::uint64_t hash() const;

    // --- the task table; each column is indexed by TaskId ---

    // What the loops of schedulers stream over is in columns, so that they meet nothing else.
    Column<std::int32_t> counter;       // ticks left of the time slice
    Column<std::int32_t> priority;      // the slice a refill gives, in ticks; 20 - nice
    Column<TaskId> next_run, prev_run;  // run-queue links; next_run is kNoTask off the queue (run_queue.h)
    Column<SchedClass> sched_class;
    Column<std::int32_t> rt_priority;  // 1..99 for fifo and rr
    Column<std::uint64_t> sequence;  // for policies that keep an order of arrival: smaller came earlier; for
                                     // those of several run queues when it ran last, in ns

    // The rest of a task is a row: one wake-up needs most of it, and finds it in one cache line.
    Column<Task> task;

    Column<std::uint64_t> cpus_allowed;  // a bit for each CPU; no rows where there is only one
    Column<std::uint16_t>
        resident_on;  // the CPU that remembers the task, or kNoProcessor; no rows without caches

    Column<Job> job;  // no rows where nobody has deadlines

    Column<Parent> parent;  // kept by the policies that give an exiting task's ticks back

    // The queue in a form to be looked up rather than walked, and the refills that sleepers are owed for as
    // long as it is: only within Engine::run(), and neither copied nor hashed.
    ReadyIndex ready;

  private:
    // Calls visit(column, rows) for each part of the block, in the order of their layout.
    template <class Visitor>
    void for_each_part(Visitor visit);
    void bind();

    // The bytes are hashed, so all of them have to mean something.
    template <class T>
    static T* kept(std::byte* begin, std::uint32_t i, [[maybe_unused]] std::uint32_t bytes) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint64_t) == 0 &&
                      std::has_unique_object_representations_v<T>);
        assert(bytes == sizeof(T));
        return reinterpret_cast<T*>(begin + std::size_t{i} * sizeof(T));
    }

    MachineShape shape_;
    struct alignas(64) Line {
        std::byte bytes[64];
    };
    std::vector<Line> block_;

    // Views into block_, set by bind()
    Globals* globals_ = nullptr;
    Cpu* cpus_ = nullptr;
    Channel* channels_ = nullptr;
    std::uint64_t* events_ = nullptr;
    std::uint32_t first_leaf_ = 0;  // of the event queue
    std::uint32_t* loops_left_ = nullptr;
    Mm* mms_ = nullptr;
    Recent* recent_ = nullptr;
    std::byte* kept_of_cpus_ = nullptr;
    std::byte* kept_of_tasks_ = nullptr;
};

}  // namespace sim
