// The lines of our own table of events (--format csv): all that an event is.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/exchange/line_event.h"

namespace sim::exchange {

class TableLines {
  public:
    // Whether a file that begins with this line is such a table.
    static bool is_heading(std::string_view line);

    // Into an event that is clear().
    LineIs read(std::string_view line, LineEvent& e);

  private:
    static constexpr std::size_t kColumns = 16;

    bool split(std::string_view line);

    std::array<std::string, kColumns> unquoted_;
    std::array<std::string_view, kColumns> cells_;
};

}  // namespace sim::exchange
