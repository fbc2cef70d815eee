// Tracks the thread names in an output file that stores them separately from the events.
#pragma once

#include <functional>
#include <vector>

#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

class ThreadNameTracker {
  public:
    // To be called before `event` is written. Calls `introduce` for each thread of the event whose current
    // name, pid or process is not in the output yet; at the first event, for all threads.
    void introduce_threads(const SchedEvent& event, const Threads& threads,
                           const std::function<void(ThreadId)>& introduce) {
        if (known_.empty()) {
            known_.resize(threads.size());
            for (ThreadId t = 1; t < threads.size(); ++t) introduce_if_changed(t, threads, introduce);
        }
        if (known_.size() < threads.size()) known_.resize(threads.size());
        introduce_if_changed(event.current, threads, introduce);
        introduce_if_changed(event.thread, threads, introduce);
    }

  private:
    void introduce_if_changed(ThreadId id, const Threads& threads,
                              const std::function<void(ThreadId)>& introduce) {
        const Thread& t = threads[id];
        Thread& known = known_[id];
        if (id == kIdleThread || t.pid == 0) return;  // pid 0: the row is unused
        if (known.pid == t.pid && known.tgid == t.tgid && known.name == t.name) return;
        known = t;
        introduce(id);
    }

    Threads known_;
};

}  // namespace sim::trace_io
