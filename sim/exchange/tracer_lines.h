// The lines of tracers that print text: tracefs' "trace", trace-cmd report, perf script, and our own export
// in the form of the first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/exchange/event_arguments.h"
#include "sim/exchange/line_event.h"

namespace sim::exchange {

class TracerLines {
  public:
    // A line of the header for what is printed of our own binary files, in which 0 stands at 1 ns.
    static constexpr std::string_view kZeroIsOne = "# switchyard 0 is 1 ns";

    // Into an event that is clear().
    LineIs read(std::string_view line, LineEvent& e);

    // What an export says of its run, in a line that has been read.
    const std::optional<RunInfo>& run() const { return run_; }
    // How many events the last line says that the tracer has lost.
    std::uint64_t lost() const { return lost_; }
    const EventArguments& arguments() const { return arguments_; }

  private:
    bool read_head(std::string_view line, LineEvent& e, std::string_view& rest);
    LineIs read_header(std::string_view line);

    EventArguments arguments_;
    std::optional<RunInfo> run_;
    std::uint64_t lost_ = 0;
    bool zero_is_one_ = false;
};

}  // namespace sim::exchange
