// The threads of a workload, and which of them a wake-up can reach.
//
// A condition of rt-app is a channel of the scenario. If several threads wait for one condition, each has a
// channel of its own, named after the condition and the thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace_io/rt_app/workload_file.h"

namespace sim::trace_io {

// A thread object of a workload, which becomes a task group.
struct RtAppThread {
    const JsonValue* value = nullptr;
    std::string name;
    std::int64_t count = 1, loop = -1;
    Nanos start{};
    std::string attributes;  // class, nice and so on, as members of a task group in JSON
    std::vector<std::string> steps;
    std::int64_t period = 0;  // period of the thread's first timer, us; 0: none
};

// The name of a channel or mutex in a scenario.
std::string channel_name(std::string_view name);
// The name under which a thread is suspended. An empty name in the file means the name of the thread
// itself.
std::string suspended_as(const JsonValue& value, const RtAppThread& thread);

class RtAppWaiters {
  public:
    // A thread that waits on a condition, or is suspended by a name.
    struct Waiter {
        const RtAppThread* thread;
        std::string channel;
    };

    // `file` outlives this.
    explicit RtAppWaiters(WorkloadFile& file) : file_(file) {}

    // Adds the waits among the events of a thread or of one of its phases. `thread` outlives this.
    void add_waits_of(const RtAppThread& thread, const JsonValue& events);
    // Names the channels. REQUIRES: all waits have been added; channels are used only after this.
    void name_channels();

    // The channel on which this thread waits for a condition.
    std::string own_channel(const std::string& name, const RtAppThread& thread) const;
    // The waiters that this thread can wake: all but itself. Throws all problems if a file has too many
    // wake-ups.
    std::vector<const Waiter*> others(const std::string& name, const JsonValue& value,
                                      const RtAppThread& thread);

  private:
    WorkloadFile& file_;
    std::size_t looked_at_ = 0;                           // number of waiters visited for wake-ups
    std::map<std::string, std::vector<Waiter>> waiters_;  // by channel name
};

}  // namespace sim::trace_io
