// The threads of a trace, as described by the lines read so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/trace_io/line_event.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

inline constexpr ThreadId kNoThread = 0xffff'ffff;
inline constexpr std::size_t kMostThreads = 262'144;

class ThreadsByPid {
  public:
    ThreadsByPid();

    // Adds the threads that an export lists for its start; later lines may change their fields.
    void know(const std::vector<RunInfo::Known>& threads);

    // Finds or adds the thread with this pid and updates its fields. The idle task (pid 0) never changes.
    // kNoThread without a pid, or beyond kMostThreads.
    ThreadId describe(const ThreadFields& fields);

    // Marks a thread as exiting. Once the thread has left its CPU, its pid may be reused.
    void exits(ThreadId thread) { of_[thread].exits = true; }
    // Notes that the thread has left its CPU for good and no longer has its pid.
    void has_gone(ThreadId thread);
    // Notes that a new thread has this pid. An exiting thread without a CPU loses the pid, even if its last
    // switch was not recorded.
    void is_new(std::int32_t pid);

    const Threads& all() const { return threads_; }
    // The CPU that runs the thread; kNoCpu: none. Not maintained for the idle task.
    CpuId& cpu_of(ThreadId thread) { return of_[thread].cpu; }

  private:
    struct ThreadState {
        CpuId cpu = kNoCpu;
        bool has_name = false;
        bool exits = false;
    };

    Threads threads_;
    std::vector<ThreadState> of_;  // by ThreadId
    std::unordered_map<std::int32_t, ThreadId> by_pid_;
};

}  // namespace sim::trace_io
