// Converts the events of rt-app's threads to steps of a scenario, as JSON text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/trace_io/rt_app/omitted_features.h"
#include "sim/trace_io/rt_app/rt_app_keys.h"
#include "sim/trace_io/rt_app/rt_app_waiters.h"
#include "sim/trace_io/rt_app/workload_file.h"

namespace sim::trace_io {

// The threads of a workload.
struct RtAppThreads {
    std::vector<RtAppThread> all;
    std::map<std::string, std::size_t> by_key;  // by key: index in `all` of the first thread with this key
};

class RtAppSteps {
  public:
    // All arguments outlive this. REQUIRES: all threads have been added to `threads`, and the channels of
    // `waiters` have names.
    RtAppSteps(WorkloadFile& file, OmittedFeatures& left_out, RtAppWaiters& waiters,
               const RtAppThreads& threads)
        : file_(file), left_out_(left_out), waiters_(waiters), threads_(threads) {}

    // The steps for the events of a phase, or of a thread without phases.
    std::vector<std::string> of(const JsonValue& object, RtAppThread& thread);

  private:
    using HeldLocks = std::map<std::string, const JsonValue*>;  // locks that are not unlocked yet

    void read_event(RtEvent event, const JsonValue& value, RtAppThread& thread, HeldLocks& held,
                    std::vector<std::string>& steps);
    void read_lock(const JsonValue& value, HeldLocks& held, std::vector<std::string>& steps);
    void read_unlock(const JsonValue& value, HeldLocks& held, std::vector<std::string>& steps);
    void wake_first(const std::string& name, const JsonValue& value, const RtAppThread& thread,
                    std::vector<std::string>& steps);
    void wake_all(const std::string& name, const JsonValue& value, const RtAppThread& thread,
                  std::vector<std::string>& steps);
    void read_wait(const JsonValue& value, bool signals, const RtAppThread& thread, const HeldLocks& held,
                   std::vector<std::string>& steps);
    void read_timer(const JsonValue& value, RtAppThread& thread, std::vector<std::string>& steps);
    void read_fork(const JsonValue& value, std::vector<std::string>& steps);

    WorkloadFile& file_;
    OmittedFeatures& left_out_;
    RtAppWaiters& waiters_;
    const RtAppThreads& threads_;
    std::map<std::string, const RtAppThread*> timers_;  // by timer name: the timer's first user
};

}  // namespace sim::trace_io
