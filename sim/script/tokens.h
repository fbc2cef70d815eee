// Splits a policy script's text into tokens like Lua 5.4 (its llex.c), for analysis before it runs.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sim::script {

struct Token {
    enum class Kind { name, number, text, sign };  // keywords have kind name, strings have kind text
    Kind kind;
    std::string_view words;

    bool is(std::string_view expected) const { return kind != Kind::text && words == expected; }
};

// The end of the comment or string that starts at `at`. Returns `at` if no comment or string starts there.
std::size_t end_of_comment_or_string(std::string_view text, std::size_t at);

// All tokens except comments. An operator of several characters is one token only if it consists of dots or
// colons. So `==` is two tokens `=`.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace sim::script
