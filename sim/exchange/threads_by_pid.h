// The threads of a recording, as far as it has spoken of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/exchange/line_event.h"
#include "sim/exchange/sched_event.h"

namespace sim::exchange {

inline constexpr ThreadId kNoThread = 0xffff'ffff;
inline constexpr std::size_t kMostThreads = 262'144;

class ThreadsByPid {
  public:
    ThreadsByPid();

    // Those that were there at the beginning, as an export says: what no line says of a thread is so.
    void know(const std::vector<RunInfo::Known>& threads);

    // The thread that is spoken of, with what is said of it; pid 0 is the idle task, of which nothing new can
    // be said. kNoThread where no pid is said, and for those beyond kMostThreads.
    ThreadId describe(const Said& said);

    // A pid is given again to somebody new, once who had it has gone. It is told that a thread has begun to
    // exit, and that it has left its CPU for good; whoever has that pid next is another thread.
    void exits(ThreadId thread) { of_[thread].exits = true; }
    void has_gone(ThreadId thread);
    // It is told that a thread of this pid is new: so who has exited is not it, even if it was not seen to
    // go.
    void is_new(std::int32_t pid);

    const Threads& all() const { return threads_; }
    // The CPU that it has; kNoCpu for none. Not of the idle task.
    CpuId& cpu_of(ThreadId thread) { return of_[thread].cpu; }

  private:
    struct OfThread {
        CpuId cpu = kNoCpu;
        bool has_name = false;
        bool exits = false;
    };

    Threads threads_;
    std::vector<OfThread> of_;  // by ThreadId
    std::unordered_map<std::int32_t, ThreadId> by_pid_;
};

}  // namespace sim::exchange
