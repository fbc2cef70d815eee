// A list as text.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace sim {

// The texts or whole numbers of a list, with the separator between them: "1, 2, 3". Many files do this, and
// with fmt::join each would compile its formatters again.
template <class List>
std::string join(const List& list, std::string_view separator) {
    std::string text;
    bool first = true;
    for (const auto& item : list) {
        if (!first) text += separator;
        first = false;
        if constexpr (std::convertible_to<decltype(item), std::string_view>) {
            text += std::string_view(item);
        } else {
            static_assert(std::integral<std::remove_cvref_t<decltype(item)>>);
            text += std::to_string(item);
        }
    }
    return text;
}

}  // namespace sim
