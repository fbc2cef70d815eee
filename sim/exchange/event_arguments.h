// What tracers print behind the name of an event, in each of its forms.
#pragma once

#include <string_view>

#include "sim/exchange/line_event.h"

namespace sim::exchange {

class EventArguments {
  public:
    // Whose markers (tracing_mark_write) are ours: those of an export say what no tracer can.
    void set_is_export() { is_export_ = true; }
    bool is_export() const { return is_export_; }

    // `event` by Linux's name of the tracepoint. REQUIRES: `e` has its line's CPU, task and flags.
    LineIs read(std::string_view event, std::string_view arguments, LineEvent& e);

    // Of the last switch: whether it is in a form that has the same R for who was preempted and for who has
    // called sched_yield(); and whether it has a prev_state that is none, and was taken for sleep.
    bool last_hides_preemption() const { return hides_preemption_; }
    bool last_has_unknown_state() const { return has_unknown_state_; }

  private:
    bool switched(std::string_view arguments, LineEvent& e);
    PrevState state(std::string_view text);

    bool is_export_ = false;
    bool hides_preemption_ = false, has_unknown_state_ = false;
    bool is_before_4_14_ = false;  // by a prev_state that later kernels do not have
};

// A prev_state as a number, as the tracepoint has it. `is_before_4_14` is what is known of the kernel, and
// changes with what this says of it.
PrevState numeric_state(std::uint64_t state, bool& is_before_4_14);

// The name of a stay in the kernel as one that lives for ever; null for one that is none of ours.
const char* known_work(std::string_view name);

}  // namespace sim::exchange
