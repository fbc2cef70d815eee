// Detects the text format of a trace file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sim::trace_io {

enum class TraceTextFormat : std::uint8_t { tracer, table, bpftrace, rows };
// Human-readable: "the text of a tracer".
const char* to_string(TraceTextFormat format);

// First bytes of files in other formats.
struct Signature {
    std::string_view bytes;
    const char* says;                // human-readable
    std::vector<std::string> words;  // command that prints it as text, without the file name; empty: none
    std::vector<std::string> words_of_run = {};  // the same for the run in an export
};
// nullptr if no signature matches.
const Signature* signature_of(std::string_view beginning);

// Detects the format by the first line that has one of these forms; default: tracer. `beginning` may end
// within a line.
TraceTextFormat format_of(std::string_view beginning);

// True for a trace; false for a scenario or workload. `beginning`: some ten thousand bytes.
bool begins_like_a_trace(std::string_view beginning);

// Explains, from the first bytes, why a file is not a trace. Line and column start at 1; 0: unknown.
struct FormatDiagnosis {
    int line = 0, column = 0;
    std::string why;
};
FormatDiagnosis why_no_trace(std::string_view beginning);

}  // namespace sim::trace_io
