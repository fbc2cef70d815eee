// Stores bytes of an output file until the part of the file before them is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/temp_file.h"
#include "sim/trace_io/export/export_formats.h"

namespace sim::trace_io {

// Keeps the latest bytes, up to 64 KiB, in memory and the earlier bytes in a temporary file.
class SpillBuffer {
  public:
    void add(std::string_view bytes) {
        size_ += bytes.size();
        latest_ += bytes;
        constexpr std::size_t kEnough = 1 << 16;
        if (latest_.size() < kEnough) return;
        if (!file_) file_.emplace();
        file_->write(latest_);
        latest_.clear();
    }
    std::uint64_t size() const { return size_; }
    void write_to(const Output& output) {
        if (file_) file_->read(output);
        output(latest_);
    }

  private:
    std::optional<TempFile> file_;
    std::string latest_;
    std::uint64_t size_ = 0;
};

}  // namespace sim::trace_io
