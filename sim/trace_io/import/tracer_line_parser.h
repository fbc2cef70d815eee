// Parser for the text of tracers: tracefs' "trace", trace-cmd report, perf script, and this program's
// ftrace export.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/trace_io/import/event_arguments.h"
#include "sim/trace_io/import/line_event.h"

namespace sim::trace_io {

class TracerLineParser {
  public:
    // The importer puts this header line before the text decoded from a binary file that this program
    // exported. In such files, time 0 is stored as 1 ns.
    static constexpr std::string_view kZeroIsOne = "# switchyard 0 is 1 ns";

    // REQUIRES: e.clear() has been called.
    LineClass read(std::string_view line, LineEvent& e);

    // The RunInfo of an export; std::nullopt before its header line has been read.
    const std::optional<RunInfo>& run_info() const { return run_; }
    // Number of lost events that the last line reports.
    std::uint64_t lost_event_count() const { return lost_; }
    const EventArgumentParser& arguments() const { return arguments_; }

  private:
    bool read_event_head(std::string_view line, LineEvent& e, std::string_view& rest);
    LineClass read_non_event_line(std::string_view line);

    EventArgumentParser arguments_;
    std::optional<RunInfo> run_;
    std::uint64_t lost_ = 0;
    bool zero_is_one_ = false;
};

}  // namespace sim::trace_io
