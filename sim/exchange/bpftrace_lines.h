// The lines of the bpftrace script that SchedViz has for recording: letters and hexadecimal numbers.
#pragma once

#include <string_view>

#include "sim/exchange/line_event.h"

namespace sim::exchange {

class BpftraceLines {
  public:
    // Whether a line is of that form, as far as it can be seen.
    static bool is_one(std::string_view line);

    // Into an event that is clear().
    LineIs read(std::string_view line, LineEvent& e);

  private:
    bool is_before_4_14_ = false;
};

}  // namespace sim::exchange
