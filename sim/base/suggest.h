// "Did you mean": the known word that is nearest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sim {

// "; did you mean 'yield'?" when one of the known words is near to `word`, otherwise nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace sim
