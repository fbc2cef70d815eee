// The name of a thread in a scenario.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/text.h"

namespace sim::trace_io {

// The printable name, cut to 40 bytes at a character boundary, with '_' for spaces. The limit leaves room for
// suffixes.
inline std::string entry_name(std::string_view name) {
    constexpr std::size_t kLongest = 40;
    std::string text;
    const std::string shown = printable(name);
    for (std::size_t at = 0; at < shown.size();) {
        const Character c = character_at(shown, at);
        if (text.size() + c.bytes > kLongest) break;
        if (is_blank(c.code))
            text += '_';
        else
            text.append(shown, at, c.bytes);
        at += c.bytes;
    }
    return text.empty() || text == "idle" ? "task" : text;
}

}  // namespace sim::trace_io
