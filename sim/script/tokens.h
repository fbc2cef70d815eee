// The words of a script's text, as Lua 5.4 separates them (its llex.c): for what has to be known of a script
// before it runs.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sim::script {

struct Token {
    enum class Kind { name, number, text, sign };  // keywords are names
    Kind kind;
    std::string_view words;

    bool is(std::string_view what) const { return kind != Kind::text && words == what; }
};

// Behind what is a comment or a text here; `at` if neither begins.
std::size_t end_of_words(std::string_view text, std::size_t at);

// All but comments. Of signs of several characters only those with points and colons are one token: `=` may
// begin `==`.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace sim::script
