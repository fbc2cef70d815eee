// Scheduler events, like those that tracers of real kernels record. Runs, traces and all output formats use
// this form.
//
// The event kinds are tracepoints of Linux (include/trace/events/sched.h), and events without a tracepoint
// there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace sim::trace_io {

using ThreadId = std::uint32_t;  // index into Threads; 0: the idle task of every CPU
inline constexpr ThreadId kIdleThread = 0;

struct Thread {
    std::int32_t pid = 0;  // thread id
    // Pid of the first thread with the same address space; for a kernel thread its own pid.
    std::int32_t tgid = 0;
    std::string name;                        // current name
    std::int32_t prio = 120;                 // as in Linux's tracepoints: 120 + nice, or 99 - rt_priority
    bool is_kernel = false;                  // a kernel thread has no address space
    std::uint64_t cpus = ~std::uint64_t{0};  // affinity, one bit per CPU; all bits if unknown

    bool operator==(const Thread&) const = default;
};
using Threads = std::vector<Thread>;

enum class EventKind : std::uint8_t {
    sched_switch,  // CPU `cpu` switches from `current` to `thread`
    waking,        // try_to_wake_up() of `thread` begins, on the waker's CPU
    wakeup,        // `thread` was put on the run queue of CPU `target`
    wakeup_new,    // `thread` was put on a run queue for the first time
    migrate,       // `thread` moves from CPU `value` to CPU `target`
    fork,          // `current` created `thread`
    exec,          // `current` runs another program; its fields in Threads are already the new ones
    exit,          // `current` exits
    // Events without a tracepoint in sched.h.
    yield,          // `current` calls sched_yield()
    recalculation,  // schedule() recalculated `value` counters
    work_begin,     // an interval of kernel work `what` for `current` starts; intervals nest
    work_end,       // the innermost interval of kernel work on `cpu` ends
    queue_length,   // `value` tasks are ready or running, on all CPUs
};

// Why a task leaves a CPU.
enum class PrevState : std::uint8_t {
    runnable,   // R: the task called sched_yield(), or was preempted on its return to user mode
    preempted,  // R+: need_resched, at the end of an interrupt or a system call
    sleeping,   // S: the task waits for another task, an event or a time
    disk,       // D: the task waits for a device
    dead,       // X: the task has exited
};

struct SchedEvent {
    Nanos time{};
    EventKind kind = EventKind::sched_switch;
    CpuId cpu = 0;                          // CPU where the event happens
    ThreadId current = kIdleThread;         // task running on that CPU; in a switch: the previous task
    ThreadId thread = kIdleThread;          // task that the event is about
    PrevState state = PrevState::runnable;  // sched_switch
    bool in_interrupt = false;              // waking, wakeup: by an interrupt, not by `current`
    // sched_switch: true if the trace lacks this switch. Then `time` is the latest possible time, and `state`
    // is unknown.
    bool is_inferred = false;
    CpuId target = 0;
    std::int64_t value = 0;
    const char* what = "";  // kind of kernel work; a string with static storage duration
};

// Facts about a run or a trace, passed to an EventSink before the first event.
struct RunInfo {
    std::string title{};
    // cpus: number of CPUs; 0: unknown (only in a trace). hz: timer interrupts per second.
    std::uint32_t cpus = 1, hz = 100;
    std::string policy{};   // policy in the syntax of --policy
    std::string machine{};  // one-line JSON object, as a scenario's "machine"; may be empty
    // Start of the time range that the events cover.
    Nanos begin{};
    // Threads that exist at `begin`, if known.
    struct InitialThread {
        Thread thread;
        bool asleep = false;

        bool operator==(const InitialThread&) const = default;
    };
    std::vector<InitialThread> threads{};
};

// The RunInfo as a JSON object in one line, for the header of an exported file.
std::string to_json(const RunInfo& info);

// The text as a JSON string in quotes.
std::string json_string_of(const std::string& text);

const char* to_string(EventKind kind);         // Linux's name of the tracepoint, if there is one
const char* prev_state_text(PrevState state);  // the text of prev_state, such as "R+"
// The thread's name as ftrace prints it. The idle task has one name per CPU ("swapper/0").
std::string comm(ThreadId id, const Threads& threads, CpuId cpu);

// Receives events in order of time, and at equal times in the order in which they happened.
class EventSink {
  public:
    EventSink() = default;
    EventSink(const EventSink&) = delete;
    EventSink& operator=(const EventSink&) = delete;
    virtual ~EventSink() = default;

    virtual void begin(const RunInfo&) = 0;
    // `threads`: all threads at the time of the event, including the threads to which `event` refers.
    virtual void event(const SchedEvent& event, const Threads& threads) = 0;
    // Called after the last event. Each CPU has already switched to the idle task.
    virtual void end(Nanos now) = 0;
};

}  // namespace sim::trace_io
