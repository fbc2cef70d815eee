// Text embedded in a link: compressed in zlib's format (RFC 1950), which browsers and other programs can
// read, in base64url (RFC 4648, section 5).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sim {

// REQUIRES: can_embed_text() (link.h); at most kLongestLinkText bytes.
std::string pack_text(std::string_view text);

// The text, of at least one byte; std::nullopt, with the reason in `why`, if the input is invalid, incomplete
// or above `most` bytes.
std::optional<std::string> unpack_text(std::string_view packed, std::size_t most, std::string& why);

// The compression of the available library. Decompression does not verify the checksum.
std::string zlib_compressed(std::string_view bytes);
std::optional<std::string> zlib_decompressed(std::string_view bytes, std::size_t most);

}  // namespace sim
