// An input stream whose beginning can be inspected before it is read.
#pragma once

#include <istream>
#include <streambuf>
#include <string_view>
#include <vector>

namespace sim::trace_io {

struct PeekedStream final : std::istream {
    explicit PeekedStream(std::istream& of) : std::istream(nullptr), buffer(of) {
        rdbuf(&buffer);
        exceptions(std::ios::badbit);
    }
    // The beginning of the stream, at most 64 KiB. REQUIRES: nothing has been read.
    std::string_view beginning() const { return {buffer.bytes.data(), buffer.first}; }

    struct Buffer : std::streambuf {
        explicit Buffer(std::istream& of) : in(of), bytes(1 << 16) {
            first = read();
            setg(bytes.data(), bytes.data(), bytes.data() + first);
        }
        std::size_t read() {
            in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
            return static_cast<std::size_t>(in.gcount());
        }
        int_type underflow() override {
            const std::size_t count = read();
            setg(bytes.data(), bytes.data(), bytes.data() + count);
            return count == 0 ? traits_type::eof() : traits_type::to_int_type(bytes.front());
        }

        std::istream& in;
        std::vector<char> bytes;
        std::size_t first = 0;
    } buffer;
};

}  // namespace sim::trace_io
