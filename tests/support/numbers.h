// Extracts the numbers of a text, for tests that compare documents with program output.
#pragma once

#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

// The numbers as written, without thousands separators: "24289115", "0.525", "2.0.30". Digits after a letter
// are part of a name and skipped ("x86", "MM1"); a letter may follow ("20N", "4x").
inline std::vector<std::string> numbers_in(const std::string& text) {
    const auto digit = [&](std::size_t i) {
        return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    };
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!digit(i)) continue;
        const bool named =
            i > 0 && (std::isalpha(static_cast<unsigned char>(text[i - 1])) != 0 || text[i - 1] == '_');
        std::string number;
        for (; digit(i) || (i < text.size() && (text[i] == '.' || text[i] == ',') && digit(i + 1)); ++i)
            if (text[i] != ',') number += text[i];
        if (!named) numbers.push_back(number);
    }
    return numbers;
}
