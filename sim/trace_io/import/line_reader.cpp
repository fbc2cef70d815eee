#include "sim/trace_io/import/line_reader.h"

#include <algorithm>
#include <cstring>

namespace sim::trace_io {

LineReader::LineReader(std::istream& in) : in_(in), bytes_(4 * kLongest) {}

// Reads more bytes. Returns false at the end of the file, or if the buffer is full.
bool LineReader::fill_buffer() {
    if (is_over_) return false;
    if (at_ > 0) {
        std::memmove(bytes_.data(), bytes_.data() + at_, end_ - at_);
        end_ -= at_;
        at_ = 0;
    }
    if (end_ == bytes_.size()) {
        if (end_ > max_line_length()) return false;
        bytes_.resize(2 * bytes_.size());
    }
    in_.read(bytes_.data() + end_, static_cast<std::streamsize>(bytes_.size() - end_));
    const auto count = static_cast<std::size_t>(in_.gcount());
    end_ += count;
    is_over_ = count == 0;
    return count > 0;
}

std::size_t LineReader::max_line_length() const {
    return std::string_view(bytes_.data() + at_, end_ - at_).starts_with(kHeader) ? kLongestHeader : kLongest;
}

std::string_view LineReader::beginning() {
    while (end_ < kLongest && fill_buffer()) continue;
    return {bytes_.data(), std::min(end_, kLongest)};
}

bool LineReader::next_line(std::string_view& line) {
    was_too_long_ = false;
    const char* newline = nullptr;
    for (std::size_t searched = 0;;) {
        const std::size_t count = end_ - at_ - searched;
        newline = count == 0
                      ? nullptr
                      : static_cast<const char*>(std::memchr(bytes_.data() + at_ + searched, '\n', count));
        if (newline != nullptr || end_ - at_ > max_line_length()) break;
        searched = end_ - at_;
        if (!fill_buffer()) break;
    }
    if (newline == nullptr && at_ == end_) return false;
    ++number_;
    const std::size_t size =
        newline == nullptr ? end_ - at_ : static_cast<std::size_t>(newline - (bytes_.data() + at_));
    line = {bytes_.data() + at_, size};
    const bool is_too_long = size > max_line_length();
    at_ += size + (newline == nullptr ? 0 : 1);
    if (is_too_long) {
        was_too_long_ = true;
        line = {};  // nothing of the line is returned: the search for its end overwrites the buffer
        while (newline == nullptr) {
            at_ = end_;
            if (!fill_buffer()) break;
            newline = static_cast<const char*>(std::memchr(bytes_.data(), '\n', end_));
            if (newline != nullptr) at_ = static_cast<std::size_t>(newline - bytes_.data()) + 1;
        }
    }
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return true;
}

}  // namespace sim::trace_io
