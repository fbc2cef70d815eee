// Formats of traces that can be imported, and their detection. A new format needs a value of ImportFormat, a
// check in recognized_format(), a parser (*_lines.h or *_line_parser.h), and a case in
// TraceSource::read_line().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sim::trace_io {

enum class ImportFormat : std::uint8_t { tracer, table, bpftrace, rows };
// A human-readable name of the format, such as "the text of a tracer".
const char* to_string(ImportFormat format);

// The first bytes of files in a format that cannot be read directly.
struct FileSignature {
    std::string_view bytes;
    const char* description;  // human-readable: the format, and how to make the file readable
    // Command that prints the file as text; the file name is appended. Empty: there is none.
    std::vector<std::string> words;
    // Command that prints the RunInfo of an export; the file name is appended. Empty: there is none.
    std::vector<std::string> words_of_run = {};
};
// Why `trace-cmd report` cannot read this trace.dat; empty if it can, or if this is not a trace.dat.
// `beginning`: at least 32 bytes of the file, if it has as many.
std::string unsupported_compression_message(std::string_view beginning);
// The signature with which the file begins; nullptr if no signature matches.
const FileSignature* find_signature(std::string_view beginning);

// True if the bytes start like a Perfetto trace in Protocol Buffers, which cannot be read.
bool is_perfetto(std::string_view bytes);

// Detects the format by the first line that matches an import format. Returns ImportFormat::tracer if no line
// matches. `beginning` may end within a line.
ImportFormat detect_format(std::string_view beginning);

// True for an HTML page, as systrace.py writes it: a viewer followed by a trace.
bool is_html(std::string_view beginning);

// True for a trace; false for a scenario or workload. `beginning`: the first 64 KiB of the file.
bool looks_like_a_trace(std::string_view beginning);

// Explains, from the first bytes, why a file is not a trace. Line and column start at 1; 0: unknown.
struct FormatDiagnosis {
    int line = 0, column = 0;
    std::string why;
};
FormatDiagnosis explain_not_a_trace(std::string_view beginning);

}  // namespace sim::trace_io
