// Recognizes files that a command or the window may be given instead of a scenario.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sim::trace_io {

enum class InputKind : std::uint8_t {
    scenario,     // or any other text
    trace,        // or a file that only import can explain
    workload,     // of rt-app
    unsupported,  // a known format that cannot be read
};

// `text`: a file or its beginning, at least some ten thousand bytes.
InputKind kind_of_text(std::string_view text);
// The kind of a regular file or a directory; InputKind::scenario for anything else.
InputKind kind_of_file(const std::string& path);
// True if `switchyard import` is the command for this file, and not a workload.
bool is_trace(const std::string& path);

// Whether a JSON text or its beginning states the format of a scenario.
bool is_scenario_text(std::string_view text);

// Why commands that need a scenario cannot use the text: the kind of the file, and the command or advice.
// `path`: the file's name, or "-". Empty for InputKind::scenario.
std::string why_not_a_scenario(const std::string& path, std::string_view text);
std::string why_not_a_scenario(const std::string& path);

// True for output of perf script --deltatime: its lines are read like others, but their times are
// differences.
bool has_time_differences(std::string_view beginning);
// What a known format is that cannot be read, with advice; empty: none was recognized.
std::string unsupported_format(std::string_view beginning);
// The same for a directory, which may be a trace of LTTng.
std::string unsupported_directory(const std::string& path);

}  // namespace sim::trace_io
