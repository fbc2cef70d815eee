// Where results go: to standard output or, whole or not at all, to a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/types.h"
#include "sim/base/units.h"  // grouped()
#include "sim/base/whole_file.h"

namespace sim::cli {

// Writes the bytes to the file as write_whole_file() does, or to standard output when `path` is empty. Throws
// FileError or OutputError when that fails, and std::bad_alloc when memory was short while they were made.
void deliver_bytes(std::string_view bytes, const std::string& path);
// The same piece by piece, for what is too long to be made first: a file appears when it is finished.
class StreamedOutput {
  public:
    // Throws FileError when nothing can be written there.
    explicit StreamedOutput(const std::string& path);

    // Throws FileError or OutputError.
    void write(std::string_view bytes);
    // Throws FileError.
    void finish();

    bool is_file() const { return file_.has_value(); }
    std::uint64_t bytes() const { return bytes_; }

  private:
    std::optional<WholeFile> file_;
    std::uint64_t bytes_ = 0;
};
// The same for what is text in lines, whatever strangers wrote into it: printable_lines() of it.
void deliver(const std::string& text, const std::string& path);
// Prints text at once: an answer for somebody who types.
void say(std::string_view text);
// Prints a sentence for people on standard error.
void complain(std::string_view sentence);

// A share as a percentage that says when it is small: "12.3 %", "0.04 %", "-".
std::string percent(double share);

// "1 entry", "2,000 entries" for so_many(n, "entr", "ies", "y").
std::string so_many(std::uint64_t number, const char* of_what, const char* plural = "s",
                    const char* singular = "");
// A horizontal bar of `width` characters, of which `share` are full.
std::string bar(double share, int width);
// Text in lines of at most `width` characters, each begun with `indent`; broken at blanks and at newlines.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent = "");
// A span of simulated time for people: "1.234 ms", "17 h 0 min", "4.2 us".
std::string human_time(Nanos time);

}  // namespace sim::cli
