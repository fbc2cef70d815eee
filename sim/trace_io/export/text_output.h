// Output buffer of the text writers.
#pragma once

#include <string>
#include <utility>

#include "sim/trace_io/export/export_formats.h"

namespace sim::trace_io {

class TextOutput {
  public:
    explicit TextOutput(Output output) : output_(std::move(output)) {}

    std::string text;

    void flush() {
        output_(text);
        text.clear();
    }
    // Writes the buffered text if it has become long. Call this about once per line.
    void flush_if_long() {
        constexpr std::size_t kEnough = 1 << 16;
        if (text.size() >= kEnough) flush();
    }

  private:
    Output output_;
};

}  // namespace sim::trace_io
