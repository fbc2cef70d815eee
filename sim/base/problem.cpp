#include "sim/base/problem.h"

#include <fmt/format.h>

#include "sim/base/text.h"

namespace sim {

std::string Problem::text() const {
    std::string place = printable(file);
    if (line > 0) place += fmt::format(":{}:{}", line, column);
    if (!pointer.empty()) place.append(": ").append(printable(shorten(pointer, kLongestPointer)));
    return place.append(": ").append(printable(message));
}

std::string shorten(std::string_view text, std::size_t max_bytes) {
    if (text.size() <= max_bytes) return std::string(text);
    std::size_t end = max_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "...";
}

ScenarioError::ScenarioError(std::vector<Problem> problems)
    : std::runtime_error(problems.empty() ? "no problem was reported" : problems.front().text()),
      problems_(std::move(problems)) {}

}  // namespace sim
