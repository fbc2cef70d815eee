// "Did you mean": the known word closest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sim {

// "; did you mean 'yield'?" if a known word is close to `word`, otherwise empty.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace sim
