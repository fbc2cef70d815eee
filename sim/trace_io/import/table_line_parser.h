// Parser for this program's table of events (--format csv), which has all fields of an event.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/trace_io/import/line_event.h"

namespace sim::trace_io {

class TableLineParser {
  public:
    static bool is_heading(std::string_view line);

    // REQUIRES: e.clear() has been called.
    LineClass read(std::string_view line, LineEvent& e);

  private:
    static constexpr std::size_t kColumns = 16;

    bool split_cells(std::string_view line);

    std::array<std::string, kColumns> unquoted_;
    std::array<std::string_view, kColumns> cells_;
};

}  // namespace sim::trace_io
