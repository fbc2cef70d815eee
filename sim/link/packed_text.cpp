#include "sim/link/packed_text.h"

#include <fmt/format.h>

#include <cstdint>

#include "sim/link/link.h"

namespace sim {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Encodes without padding, because the length of the result determines the number of bytes.
std::string to_base64url(std::string_view bytes) {
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char byte : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(byte);
        for (count += 8; count >= 6; count -= 6) out += kDigits[bits >> (count - 6) & 63];
    }
    if (count > 0) out += kDigits[bits << (6 - count) & 63];
    return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 255);
    }
    return bytes;
}

// Computes the checksum that zlib's format has at its end.
std::uint32_t adler32(std::string_view text) {
    constexpr std::uint32_t kPrime = 65521;
    std::uint32_t a = 1, b = 0;
    for (const char c : text) {
        a = (a + static_cast<unsigned char>(c)) % kPrime;
        b = (b + a) % kPrime;
    }
    return b << 16 | a;
}

std::uint32_t stored_checksum(std::string_view bytes) {
    std::uint32_t number = 0;
    for (const char c : bytes.substr(bytes.size() - 4)) number = number << 8 | static_cast<unsigned char>(c);
    return number;
}

}  // namespace

std::string pack_text(std::string_view text) { return to_base64url(zlib_compressed(text)); }

std::optional<std::string> unpack_text(std::string_view packed, std::size_t max_bytes, std::string& why) {
    constexpr std::size_t kFrame = 6;  // bytes of zlib's header and checksum
    if (!can_embed_text()) {
        why = no_embedding_reason();
        return std::nullopt;
    }
    const std::optional<std::string> bytes = from_base64url(packed);
    if (!bytes || bytes->size() <= kFrame) {
        why = "this is not a text packed by Switchyard";
        return std::nullopt;
    }
    std::optional<std::string> text = zlib_decompressed(*bytes, max_bytes);
    if (!text || text->empty() || adler32(*text) != stored_checksum(*bytes)) {
        why = fmt::format("the text is incomplete, damaged, or longer than {} KiB; copy the whole link",
                          max_bytes >> 10);
        return std::nullopt;
    }
    return text;
}

}  // namespace sim
