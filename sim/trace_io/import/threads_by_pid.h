// The threads of a trace, as described by the lines read so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/trace_io/import/line_event.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

inline constexpr ThreadId kNoThread = 0xffff'ffff;
inline constexpr std::size_t kMostThreads = 262'144;

class ThreadsByPid {
  public:
    ThreadsByPid();

    // Adds the threads that existed at the start of an export, as listed in its header. Later lines may
    // change their fields.
    void add_initial_threads(const std::vector<RunInfo::InitialThread>& threads);

    // Finds or adds the thread with this pid and updates its fields. The idle task (pid 0) never changes.
    // Returns kNoThread if the pid is missing or kMostThreads is exceeded.
    ThreadId find_or_add(const ThreadFields& fields);

    // Marks a thread as exiting. Once the thread has left its CPU, its pid may be reused.
    void set_exiting(ThreadId thread) { of_[thread].exits = true; }
    // Frees the pid of a thread that has left its CPU for good.
    void release_pid(ThreadId thread);
    // Prepares for a new thread with this pid: an exiting thread without a CPU loses the pid, even if its
    // last switch was not recorded.
    void prepare_pid_reuse(std::int32_t pid);

    const Threads& all_threads() const { return threads_; }
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
