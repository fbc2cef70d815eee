// Output of results: to standard output, or atomically to a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/atomic_file.h"
#include "sim/base/human_text.h"

namespace sim::cli {

// Writes to the file with write_atomically(), or to standard output if `path` is empty. Throws FileError or
// OutputError, and std::bad_alloc if an allocation failed while the bytes were produced.
void write_output_bytes(std::string_view bytes, const std::string& path);
// Like write_output_bytes(), but in chunks, for output that is too long for memory. The file appears at
// finish().
class StreamedOutput {
  public:
    // Throws FileError if the file cannot be written.
    explicit StreamedOutput(const std::string& path);

    // Throws FileError or OutputError.
    void write(std::string_view bytes);
    // Throws FileError.
    void finish();

    bool is_file() const { return file_.has_value(); }
    std::uint64_t bytes() const { return bytes_; }

  private:
    std::optional<AtomicFile> file_;
    std::uint64_t bytes_ = 0;
};
// Like write_output_bytes(), but for text with untrusted parts: writes printable_lines().
void write_output_text(const std::string& text, const std::string& path);
// Prints text on standard output immediately, for an interactive user.
void print_immediately(std::string_view text);
// Prints a sentence on standard error.
void print_diagnostic(std::string_view sentence);

}  // namespace sim::cli
