// Converts names of traces and workloads to names that a scenario may contain.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/text.h"

namespace sim::trace_io {

// The name in printable form, cut to 40 bytes at a character boundary, with '_' for spaces. The limit leaves
// room for suffixes. "task" replaces an empty name and the name "idle".
inline std::string name_in_scenario(std::string_view name) {
    constexpr std::size_t kLongest = 40;
    std::string text;
    const std::string shown = printable(name);
    for (std::size_t at = 0; at < shown.size();) {
        const Character c = character_at(shown, at);
        if (text.size() + c.bytes > kLongest) break;
        if (is_unicode_space(c.code))
            text += '_';
        else
            text.append(shown, at, c.bytes);
        at += c.bytes;
    }
    return text.empty() || text == "idle" ? "task" : text;
}

}  // namespace sim::trace_io
