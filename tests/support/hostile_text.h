// Hostile titles and names for tests, and a check that printed text contains no dangerous characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Returns `count` different UTF-8 texts of at most 80 bytes, the same in each run. They contain terminal
// escape sequences, control characters (ASCII and Latin-1), bidirectional and invisible characters, special
// characters of XML, JSON, format strings and shells, and mixtures with words.
std::vector<std::string> hostile_texts(std::size_t count);

// As hostile_texts(), with bytes that are invalid UTF-8, for command lines and files. No text contains NUL.
std::vector<std::string> hostile_bytes(std::size_t count);

// Returns a byte sequence of `text` that must not be printed, empty if there is none. Line ends and tabs
// are allowed. The function uses its own list of such sequences, independent of sim/base/text.h.
std::string find_unsafe_bytes(std::string_view text);
