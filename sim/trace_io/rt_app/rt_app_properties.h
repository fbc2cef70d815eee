// Reads properties in a workload of rt-app: those of the whole file, and the scheduling class and CPUs of a
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/types.h"
#include "sim/trace_io/rt_app/omitted_features.h"
#include "sim/trace_io/rt_app/workload_file.h"

namespace sim::trace_io {

class RtAppProperties {
  public:
    // Values of one thread's properties; null: absent.
    struct Attributes {
        const JsonValue *policy = nullptr, *priority = nullptr, *cpus = nullptr;
        // Values of the properties dl-runtime, dl-period and dl-deadline.
        const JsonValue *runtime = nullptr, *period = nullptr, *deadline = nullptr;
    };
    // A reservation of SCHED_DEADLINE, us; 0: not specified.
    struct Reservation {
        std::int64_t runtime = 0, period = 0, deadline = 0;
    };

    // REQUIRES: both arguments outlive this.
    RtAppProperties(WorkloadFile& file, OmittedFeatures& left_out) : file_(file), left_out_(left_out) {}

    void read_global_properties(const JsonValue& global);
    void read_thread_property(const JsonValue& member, Attributes& attributes);
    // If a thread has only one phase, the properties of that phase apply to the whole thread.
    void read_phase_property(const JsonValue& member, Attributes& attributes, bool is_only_phase);

    // The scheduling class, such as "fifo" or "deadline". `tasks`: the JSON value to which messages
    // about the default policy refer.
    std::string scheduling_class_of(const Attributes& attributes, const JsonValue& tasks);
    // The attributes as members of a task group in JSON. `class_name`: name of the scheduling class.
    std::string attributes_text(const std::string& class_name, const Attributes& attributes,
                                const JsonValue& tasks);
    // The reservation of a thread of the class "deadline"; all 0 for another class.
    Reservation reservation(const std::string& class_name, const Attributes& attributes);
    // The deadline as a member of a task group in JSON. Empty if the thread has no timer, or if the deadline
    // is not before the end of the timer's period. `timer_period`: period of the thread's timer, us; 0: none.
    // `is_reservation_omitted`: true if no step of the program expresses the reservation's time and period; a
    // remark then states this.
    std::string deadline_text(const Attributes& attributes, const Reservation& reservation,
                              std::int64_t timer_period, bool is_reservation_omitted);

    // The duration of the whole workload; 0: unlimited.
    Nanos duration() const { return duration_; }
    // The number of CPUs that the attributes of all threads require.
    std::uint32_t required_cpus() const { return cpus_; }

  private:
    std::string scheduling_class_of_policy(const JsonValue& value, std::string_view policy);
    std::string class_and_priority_text(const std::string& class_name, const Attributes& attributes,
                                        const JsonValue& tasks);
    bool is_property(const JsonValue& member);

    WorkloadFile& file_;
    OmittedFeatures& left_out_;
    std::string default_policy_ = "SCHED_OTHER";
    Nanos duration_{};
    std::uint32_t cpus_ = 1;
};

}  // namespace sim::trace_io
