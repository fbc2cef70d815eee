// Joins a list into one text.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace sim {

// Joins texts or whole numbers with a separator: "1, 2, 3". Replaces fmt::join, which would compile its
// formatters in each of many files.
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
