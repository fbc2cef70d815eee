#include "sim/trace_io/export/protobuf.h"

namespace sim::trace_io {
namespace {

// Wire types: the low three bits of a field's tag.
constexpr std::uint32_t kVarint = 0, kLengthDelimited = 2;

}  // namespace

// Appends the value with seven bits per byte, the lowest bits first. All bytes except the last have the
// high bit set.
void ProtobufMessage::append_varint(std::uint64_t value) {
    for (; value > 0x7f; value >>= 7) bytes_ += static_cast<char>((value & 0x7f) | 0x80);
    bytes_ += static_cast<char>(value);
}

ProtobufMessage& ProtobufMessage::add_unsigned(std::uint32_t field, std::uint64_t value) {
    append_varint(std::uint64_t{field} << 3 | kVarint);
    append_varint(value);
    return *this;
}

ProtobufMessage& ProtobufMessage::add_signed(std::uint32_t field, std::int64_t value) {
    return add_unsigned(field, static_cast<std::uint64_t>(value));
}

ProtobufMessage& ProtobufMessage::add_text(std::uint32_t field, std::string_view value) {
    append_varint(std::uint64_t{field} << 3 | kLengthDelimited);
    append_varint(value.size());
    bytes_ += value;
    return *this;
}

ProtobufMessage& ProtobufMessage::add_message(std::uint32_t field, const ProtobufMessage& value) {
    return add_text(field, value.bytes_);
}

}  // namespace sim::trace_io
