// Encoder for Protocol Buffers, limited to the needs of perfetto_writer.cpp.
// https://protobuf.dev/programming-guides/encoding
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sim::trace_io {

// Encodes the fields of a message in the order in which they are added.
class ProtobufMessage {
  public:
    // Adds a field of type uint32, uint64, bool or enum.
    ProtobufMessage& add_unsigned(std::uint32_t field, std::uint64_t value);
    // Adds a field of type int32 or int64; a negative number takes ten bytes.
    ProtobufMessage& add_signed(std::uint32_t field, std::int64_t value);
    // Adds a field of type string or bytes.
    ProtobufMessage& add_text(std::uint32_t field, std::string_view value);
    ProtobufMessage& add_message(std::uint32_t field, const ProtobufMessage& value);

    const std::string& bytes() const { return bytes_; }
    void clear() { bytes_.clear(); }

  private:
    void append_varint(std::uint64_t value);

    std::string bytes_;
};

}  // namespace sim::trace_io
