// What a scheduler did, event by event, as tracers of real kernels tell it: the one form between a run, the
// formats in which it is written, and the formats of recordings that are read.
//
// The kinds are tracepoints of Linux (include/trace/events/sched.h), and what only a simulator can see.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace sim::exchange {

using ThreadId = std::uint32_t;  // an index into Threads; 0 is the idle task, of every CPU
inline constexpr ThreadId kIdleThread = 0;

struct Thread {
    std::int32_t pid = 0;  // of the thread
    std::int32_t tgid =
        0;  // of its process: that of the first thread with its address space; its own for kernel threads
    std::string name;         // as it is now
    std::int32_t prio = 120;  // as Linux's tracepoints have it: 120 + nice, or 99 - rt_priority
    bool is_kernel = false;   // has no address space
    std::uint64_t cpus = ~std::uint64_t{0};  // its affinity, a bit for each CPU; all where that is not known

    bool operator==(const Thread&) const = default;
};
using Threads = std::vector<Thread>;

enum class EventKind : std::uint8_t {
    sched_switch,  // `current` hands this CPU to `thread`
    waking,        // try_to_wake_up() of `thread` begins, on the waker's CPU
    wakeup,        // `thread` is on a run queue, of CPU `target`
    wakeup_new,    // ... for the first time
    migrate,       // `thread` goes from CPU `value` to CPU `target`
    fork,          // `current` has made `thread`
    exec,          // `current` is another program: its name and prio have changed
    exit,          // `current` will not come back
    // What tracers do not tell.
    yield,         // `current` calls sched_yield()
    refill,        // schedule() has refilled `value` counters
    work_begin,    // `what` keeps the CPU, in the kernel, on behalf of `current`; these nest
    work_end,      // the innermost of them is over
    queue_length,  // `value` tasks are ready or run
};

// Why who leaves a CPU does.
enum class PrevState : std::uint8_t {
    runnable,   // R: it has called sched_yield()
    preempted,  // R+: need_resched, at the end of an interrupt or a system call
    sleeping,   // S: it waits for somebody or something
    disk,       // D: it waits for a device
    dead,       // X: it has exited
};

struct SchedEvent {
    Nanos time{};
    EventKind kind = EventKind::sched_switch;
    CpuId cpu = 0;                          // on which it happens
    ThreadId current = kIdleThread;         // who has that CPU; of a switch: until now
    ThreadId thread = kIdleThread;          // the one it is about
    PrevState state = PrevState::runnable;  // sched_switch
    bool in_interrupt = false;  // waking, wakeup: not `current` wakes it, but an interrupt that found it
    CpuId target = 0;
    std::int64_t value = 0;
    const char* what = "";  // lives for ever
};

// What there is to say before the first event.
struct RunInfo {
    std::string title{};
    std::uint32_t cpus = 1, hz = 100;
    std::string policy{};   // as --policy takes it
    std::string machine{};  // a JSON object, in one line, as a scenario's "machine" takes it; may be empty
    Nanos begin{};
    // Who exists at the beginning, as far as that is known.
    struct Known {
        Thread thread;
        bool asleep = false;

        bool operator==(const Known&) const = default;
    };
    std::vector<Known> threads{};
};

// The same as a JSON object in one line: what a file says of where it comes from, if it has a place for that.
std::string to_json(const RunInfo& info);

// A text as JSON has it, quotes and all.
std::string json_string_of(const std::string& text);

const char* to_string(EventKind kind);   // Linux's name of the tracepoint, where there is one
const char* to_letter(PrevState state);  // as prev_state is printed: "R+"
// As ftrace prints it: the idle task has a name for each CPU.
std::string comm(ThreadId id, const Threads& threads, CpuId cpu);

// Takes events in the order of time; at one instant in that in which they happened.
class EventSink {
  public:
    EventSink() = default;
    EventSink(const EventSink&) = delete;
    EventSink& operator=(const EventSink&) = delete;
    virtual ~EventSink() = default;

    virtual void begin(const RunInfo&) = 0;
    // `threads` as they are then: those that `event` names are among them.
    virtual void event(const SchedEvent& event, const Threads& threads) = 0;
    // Nothing follows, and nobody has a CPU any more: a switch to the idle task has been told of each.
    virtual void end(Nanos now) = 0;
};

}  // namespace sim::exchange
