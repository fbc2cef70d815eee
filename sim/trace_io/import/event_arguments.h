// Parser for the arguments that tracers print after an event's name, in all their forms.
#pragma once

#include <string_view>

#include "sim/trace_io/import/line_event.h"

namespace sim::trace_io {

class EventArgumentParser {
  public:
    // Treats the text as an export of this program, in which markers (tracing_mark_write) represent events
    // that no real tracer records.
    void treat_as_export() { is_export_ = true; }
    bool is_export() const { return is_export_; }

    // `event`: Linux's name of the tracepoint. REQUIRES: the CPU, task and flags of the line are already
    // stored in `e`.
    LineClass read(std::string_view event, std::string_view arguments, LineEvent& e);

    // True if the last switch was printed in a form in which R stands both for a preemption and for
    // sched_yield().
    bool is_last_switch_state_ambiguous() const { return hides_preemption_; }
    // True if the last switch had an unknown prev_state, which was read as sleeping.
    bool is_last_switch_state_unknown() const { return has_unknown_state_; }

  private:
    bool read_switch(std::string_view arguments, LineEvent& e);
    PrevState parse_state(std::string_view text);

    bool is_export_ = false;
    bool hides_preemption_ = false, has_unknown_state_ = false;
    bool is_before_4_14_ = false;  // a prev_state occurred that only kernels before 4.14 print
};

// Converts a numeric prev_state. `is_before_4_14`: whether the kernel is known to be older than 4.14; set to
// true if `state` proves this.
PrevState prev_state_from_bits(std::uint64_t state, bool& is_before_4_14);

// The name as a static string; nullptr if it does not name a kind of kernel work in exports of this
// program.
const char* known_kernel_work(std::string_view name);

}  // namespace sim::trace_io
