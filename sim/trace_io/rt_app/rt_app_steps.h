// Converts the events of rt-app's threads to steps of a scenario, as JSON text.
//
// A condition of rt-app, or a name under which threads are suspended, becomes a channel with `signal` steps:
// a signal without a waiter is lost. A semaphore becomes a channel with `wake` steps: a wake-up without a
// waiter is stored.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/trace_io/rt_app/omitted_features.h"
#include "sim/trace_io/rt_app/rt_app_keys.h"
#include "sim/trace_io/rt_app/rt_app_thread.h"
#include "sim/trace_io/rt_app/workload_file.h"

namespace sim::trace_io {

class RtAppSteps {
  public:
    // All arguments outlive this. REQUIRES: all threads have been added to `threads` before the first call of
    // steps_of().
    RtAppSteps(WorkloadFile& file, OmittedFeatures& left_out, const RtAppThreads& threads)
        : file_(file), left_out_(left_out), threads_(threads) {}

    // Adds the conditions and barriers among the events of a thread or of one of its phases. REQUIRES: called
    // for all events before steps_of(); the threads are not moved afterwards.
    void add_conditions_and_barriers(const RtAppThread& thread, const JsonValue& events);
    // The steps for the events of a phase, or of a thread without phases.
    std::vector<std::string> steps_of(const JsonValue& events, RtAppThread& thread);

  private:
    using HeldLocks = std::map<std::string, const JsonValue*>;  // locks that are not unlocked yet

    void read_event(RtEvent event, const JsonValue& value, RtAppThread& thread, HeldLocks& held,
                    std::vector<std::string>& steps);
    void read_lock(const JsonValue& value, HeldLocks& held, std::vector<std::string>& steps);
    void read_unlock(const JsonValue& value, HeldLocks& held, std::vector<std::string>& steps);
    void read_wait(const JsonValue& value, bool signals_first, const HeldLocks& held,
                   std::vector<std::string>& steps);
    void read_suspend(const JsonValue& value, const RtAppThread& thread, std::vector<std::string>& steps);
    void read_barrier(const JsonValue& value, const RtAppThread& thread, std::vector<std::string>& steps);
    // A step on the channel or lock that the value names.
    std::string step_on_named_object(const char* action, const JsonValue& value, const char* expected);
    std::string semaphore_step(const char* action, const JsonValue& value);
    void read_timer(const JsonValue& value, RtAppThread& thread, std::vector<std::string>& steps);
    void read_fork(const JsonValue& value, std::vector<std::string>& steps);

    WorkloadFile& file_;
    OmittedFeatures& left_out_;
    const RtAppThreads& threads_;
    std::map<std::string, const RtAppThread*> timers_;  // by timer name: first thread that uses the timer
    // By barrier name: thread of each event that uses the barrier.
    std::map<std::string, std::vector<const RtAppThread*>> barriers_;
    std::set<std::string> conditions_;  // names of conditions and of suspended threads
};

}  // namespace sim::trace_io
