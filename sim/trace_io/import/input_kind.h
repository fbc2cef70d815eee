// Recognizes the kind of a file. Users may pass other files than scenarios to commands and to the window.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sim::trace_io {

enum class InputKind : std::uint8_t {
    scenario,     // a scenario, or a file of no other kind
    trace,        // a trace; also a compressed file, and JSON that is too long for a scenario
    workload,     // a workload of rt-app
    unsupported,  // a known format that cannot be read
};

// `text`: a whole file, or at least its first 64 KiB.
InputKind kind_of_text(std::string_view text);
// The kind of a regular file or a directory; InputKind::scenario for anything else.
InputKind kind_of_file(const std::string& path);
// True for a trace and for InputKind::unsupported: `switchyard import` reads the file, or reports why it
// cannot.
bool is_trace_or_unsupported(const std::string& path);

// True if a JSON text, or its beginning, states the format of a scenario.
bool is_scenario_text(std::string_view text);

// Error message for a command that needs a scenario and got this text: states the kind of the file and what
// to do with it. `path`: the file's name, or "-". Empty for InputKind::scenario.
std::string why_not_a_scenario(const std::string& path, std::string_view text);
std::string why_not_a_scenario(const std::string& path);

// True for output of perf script --deltatime. Its lines have the usual form, but each time is the difference
// from the time of the previous line.
bool has_time_differences(std::string_view beginning);
// Names the format of a file in a known format that cannot be read, with advice; empty for any other file.
std::string unsupported_format_message(std::string_view beginning);
// Like unsupported_format_message(), for a directory: a trace of LTTng is a directory.
std::string unsupported_directory_message(const std::string& path);

}  // namespace sim::trace_io
