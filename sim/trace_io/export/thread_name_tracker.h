// Tracks the thread names in an output file that stores them apart from the events.
#pragma once

#include <functional>
#include <vector>

#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

class ThreadNameTracker {
  public:
    // Calls `introduce` for each thread of `event` if the output does not contain the thread's present
    // name, pid or process yet. Before the first event, calls `introduce` for all threads.
    void before(const SchedEvent& event, const Threads& threads,
                const std::function<void(ThreadId)>& introduce) {
        if (known_.empty()) {
            known_.resize(threads.size());
            for (ThreadId t = 1; t < threads.size(); ++t) look_at(t, threads, introduce);
        }
        if (known_.size() < threads.size()) known_.resize(threads.size());
        look_at(event.current, threads, introduce);
        look_at(event.thread, threads, introduce);
    }

  private:
    void look_at(ThreadId id, const Threads& threads, const std::function<void(ThreadId)>& introduce) {
        const Thread& t = threads[id];
        Thread& known = known_[id];
        if (id == kIdleThread || t.pid == 0) return;  // an unused row
        if (known.pid == t.pid && known.tgid == t.tgid && known.name == t.name) return;
        known = t;
        introduce(id);
    }

    Threads known_;
};

}  // namespace sim::trace_io
