#include "sim/base/append.h"

namespace sim {

void append_formatted(std::string& text, fmt::string_view format, fmt::format_args values) {
    fmt::memory_buffer line;
    fmt::vformat_to(fmt::appender(line), format, values);
    text.append(line.data(), line.size());
}

}  // namespace sim
