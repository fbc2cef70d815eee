// A text as a link carries it: compressed in zlib's format (RFC 1950), which browsers and other programs
// read, too, in the base64 of addresses (RFC 4648, section 5).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sim {

// REQUIRES: carries_text() (link.h) and at most kLongestLinkText bytes.
std::string packed(std::string_view text);

// The text, of one byte at least. Nothing, with the reason in `why`, when it is none that was packed, not all
// of it, or one of more than `most` bytes.
std::optional<std::string> unpacked(std::string_view packed, std::size_t most, std::string& why);

// Compression itself, of the library that there is. A decompressed text is not yet compared with its
// checksum.
std::string zlib_compressed(std::string_view bytes);
std::optional<std::string> zlib_decompressed(std::string_view bytes, std::size_t most);

}  // namespace sim
