// Who has been named in a file whose threads have their names apart from the events.
#pragma once

#include <functional>
#include <vector>

#include "sim/exchange/sched_event.h"

namespace sim::exchange {

class Introductions {
  public:
    // Calls `introduce` for whoever `event` names and the file does not know yet, or knows by another name or
    // as somebody else's thread; before the first event for everybody.
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
        if (id == kIdleThread || t.pid == 0) return;  // of a row that nobody has had
        if (known.pid == t.pid && known.tgid == t.tgid && known.name == t.name) return;
        known = t;
        introduce(id);
    }

    Threads known_;
};

}  // namespace sim::exchange
