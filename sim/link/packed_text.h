// Packs the scenario's text that is embedded in a link: compresses it in zlib's format (RFC 1950), which
// browsers and other programs can read, and encodes the result in base64url (RFC 4648, section 5).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sim {

// REQUIRES: can_embed_text() (link.h) is true; `text` has at most kLongestLinkText bytes.
std::string pack_text(std::string_view text);

// The inverse of pack_text(). Returns std::nullopt and sets `why` to the reason if `packed` is invalid or
// incomplete, or if the text is empty or longer than `max_bytes` bytes.
std::optional<std::string> unpack_text(std::string_view packed, std::size_t max_bytes, std::string& why);

// Compression and decompression by stb. Decompression does not verify the checksum.
std::string zlib_compressed(std::string_view bytes);
std::optional<std::string> zlib_decompressed(std::string_view bytes, std::size_t max_bytes);

}  // namespace sim
