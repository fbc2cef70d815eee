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

    const Threads& all() const { return threads_; }
    // The CPU that it has; kNoCpu for none. Not of the idle task.
    CpuId& cpu_of(ThreadId thread) { return of_[thread].cpu; }

  private:
    struct OfThread {
        CpuId cpu = kNoCpu;
        bool has_name = false;
    };

    Threads threads_;
    std::vector<OfThread> of_;  // by ThreadId
    std::unordered_map<std::int32_t, ThreadId> by_pid_;
};

}  // namespace sim::exchange
