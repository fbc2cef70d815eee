#include "sim/base/problem.h"

#include <fmt/format.h>

namespace sim {
std::string printable(std::string_view text) {
    std::string safe;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
        // Some terminals obey those of Latin-1, too.
        if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
            safe += fmt::format("\\x{:02x}", next);
            ++i;
        } else if (c < 0x20 || c == 0x7f) {
            safe += fmt::format("\\x{:02x}", c);
        } else {
            safe += static_cast<char>(c);
        }
    }
    return safe;
}

std::string Problem::text() const {
    std::string place = printable(file);
    if (line > 0) place += fmt::format(":{}:{}", line, column);
    if (!pointer.empty()) place.append(": ").append(printable(shorten(pointer, kLongestPointer)));
    return place.append(": ").append(printable(message));
}

std::string shorten(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "...";
}

ScenarioError::ScenarioError(std::vector<Problem> problems)
    : std::runtime_error(problems.empty() ? "no problem" : problems.front().text()),
      problems_(std::move(problems)) {}

}  // namespace sim
