#include "sim/script/source.h"

#include <algorithm>

#include "sim/script/tokens.h"

namespace sim::script {

std::optional<Problem> prepare(std::string_view text, std::string& prepared) {
    prepared.clear();
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t end = end_of_words(text, at); end > at) {
            prepared += text.substr(at, end - at);
            at = end;
            continue;
        }
        if (text[at] == '^') {
            const auto line =
                1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
            return Problem{
                static_cast<int>(line),
                "there is no '^' here, whose result is not the same on every machine: x * x, or 1 << n for "
                "a power of 2",
                {}};
        }
        if (text[at] == '#')
            prepared += "'#'^";
        else
            prepared += text[at];
        ++at;
    }
    return std::nullopt;
}

}  // namespace sim::script
