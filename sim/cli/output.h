// Output of results: to standard output, or atomically to a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/atomic_file.h"
#include "sim/base/types.h"
#include "sim/base/units.h"  // grouped()

namespace sim::cli {

// Writes to the file with write_atomically(), or to standard output if `path` is empty. Throws FileError or
// OutputError, and std::bad_alloc if an allocation failed while the bytes were produced.
void deliver_bytes(std::string_view bytes, const std::string& path);
// As deliver_bytes(), in chunks, for output that is too long for memory. The file appears at finish().
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
// As deliver_bytes(), for text with untrusted parts: writes printable_lines().
void deliver(const std::string& text, const std::string& path);
// Prints text at once, for an interactive user.
void say(std::string_view text);
// Prints a sentence on standard error.
void complain(std::string_view sentence);

// With more digits if small: "12.3 %", "1.23 %", "0.040 %", "0 %".
std::string percent(double share);

// "1 entry", "2,000 entries" for pluralize(n, "entr", "ies", "y").
std::string pluralize(std::uint64_t number, const char* of_what, const char* plural = "s",
                      const char* singular = "");
// `width` characters, of which the fraction `share` is filled.
std::string bar(double share, int width);
// Breaks text at spaces and newlines into lines of at most `width` characters, including `indent`.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent = "");
// Simulated time in readable units: "1.234 ms", "17 h 0 min", "4.2 us".
std::string human_time(Nanos time);

}  // namespace sim::cli
