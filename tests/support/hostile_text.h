// What a stranger may write where a title or a name is expected, and what nothing that this program prints
// may hold.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// So many different texts, the same ones each time: escape sequences of terminals, control characters of
// ASCII and Latin-1, characters that turn the direction or that nobody sees, what is special to XML, JSON,
// formats and shells, and mixtures of these with words. UTF-8, each of at most 80 bytes.
std::vector<std::string> hostile_texts(std::size_t count);

// The same with bytes in between that are no UTF-8, for command lines and files. None has a NUL.
std::vector<std::string> hostile_bytes(std::size_t count);

// Which byte sequence of the text should not have reached a person; empty when there is none. Line ends and
// tabs may. By a list of bytes of its own: it knows nothing of sim/base/text.h.
std::string leaked(std::string_view text);
