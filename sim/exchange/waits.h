// How long tasks waited for a CPU, in a recording or in a run: from the same events, and so by the same
// rules.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/span_histogram.h"
#include "sim/exchange/sched_event.h"

namespace sim::exchange {

struct TaskWaits {
    std::uint64_t switches = 0;   // to it
    std::uint64_t preempted = 0;  // left R+
    Nanos ran{};                  // time on a CPU, the kernel's on its behalf included
    SpanHistogram waits;          // from ready to running
    SpanHistogram latency;        // of these, those that began with a wake-up
};

// Who had a CPU, from when on; nobody: -1.
struct Had {
    Nanos since{};
    int who = -1;
    bool by_exec = false;  // it had the CPU before, as another program
};

class Waits final : public EventSink {
  public:
    void begin(const RunInfo& info) override;
    void event(const SchedEvent& event, const Threads& threads) override;
    void end(Nanos now) override;

    // Those that had a CPU, by number. A thread that becomes another program is another one, and so is a
    // thread that has the pid of one that has gone: its `life`, from 0, is another.
    struct Who {
        std::int32_t pid = 0;
        int life = 0;
        std::string name;  // its last
    };
    const std::vector<Who>& who() const { return who_; }
    const TaskWaits& of(int number) const { return *tasks_[static_cast<std::size_t>(number)]; }
    const TaskWaits& all() const { return *all_; }
    const std::vector<std::vector<Had>>& by_cpu() const { return cpus_; }
    Nanos from() const { return begin_; }
    Nanos length() const { return end_ - begin_; }

  private:
    struct Ready {
        bool is_ready = false, was_woken = false;
        Nanos since{};
    };
    int number_of(ThreadId id, const Thread& thread);
    void add(Who who);

    std::vector<Who> who_;
    std::map<std::pair<ThreadId, std::int32_t>, int> number_;  // by thread and pid: either may be used again
    std::map<std::int32_t, int> lives_;                        // by pid: so many there were
    std::vector<std::unique_ptr<TaskWaits>> tasks_;
    std::unique_ptr<TaskWaits> all_ = std::make_unique<TaskWaits>();
    std::map<std::int32_t, Ready> ready_;  // by pid
    std::vector<std::vector<Had>> cpus_;
    Nanos begin_{}, end_{};
};

// Of the CPU time that tasks had in `a`, the share in which `b` gave the same CPU to the same one; and in
// which the same one ran on any CPU. `same` says who in `b` is who of `a`, by number; -1 for nobody. 0 when
// nobody ran.
struct Agreement {
    double same_cpu = 0, any_cpu = 0;
};
Agreement agreement_of(const Waits& a, const Waits& b, const std::vector<int>& same);

}  // namespace sim::exchange
