// What a thread is called in a scenario.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/text.h"

namespace sim::exchange {

// The first 40 bytes of the name as it is shown, and no part of a character: what follows a name has room in
// that of an entry. For blanks '_'.
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

}  // namespace sim::exchange
