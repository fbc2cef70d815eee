// Parser for the lines of SchedViz's bpftrace script: letters and hexadecimal numbers.
#pragma once

#include <string_view>

#include "sim/trace_io/import/line_event.h"

namespace sim::trace_io {

class BpftraceLineParser {
  public:
    // True if the line has the form of a line that SchedViz's bpftrace script prints. The arguments in the
    // line are not checked.
    static bool is_bpftrace_line(std::string_view line);

    // REQUIRES: e.clear() has been called.
    LineClass read(std::string_view line, LineEvent& e);

  private:
    bool is_before_4_14_ = false;
};

}  // namespace sim::trace_io
