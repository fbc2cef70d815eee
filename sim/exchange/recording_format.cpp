#include "sim/exchange/recording_format.h"

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/exchange/bpftrace_lines.h"
#include "sim/exchange/scanning.h"
#include "sim/exchange/table_lines.h"
#include "sim/exchange/tracer_lines.h"

namespace sim::exchange {
namespace {

struct Signature {
    std::string_view bytes;
    const char* says;
};
// What people have who have recorded, and not printed yet.
constexpr Signature kSignatures[] = {
    {"PERFILE2", "what perf record writes: 'perf script' prints it as text"},
    {"\x17\x08\x44tracing", "what trace-cmd record writes: 'trace-cmd report' prints it as text"},
    {"\x1f\x8b", "compressed (gzip): unpack it first"},
    {"\x28\xb5\x2f\xfd", "compressed (zstd): unpack it first"},
    {"\xfd"
     "7zXZ",
     "compressed (xz): unpack it first"},
    {"BZh", "compressed (bzip2): unpack it first"},
    {"PK\x03\x04", "compressed (zip): unpack it first"},
    {"\xff\xfe", "text in UTF-16: only UTF-8 is read"},
    {"\xfe\xff", "text in UTF-16: only UTF-8 is read"},
};

std::string_view without_carriage_return(std::string_view line) {
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

}  // namespace

RecordingFormat format_of(std::string_view beginning) {
    TracerLines tracer;
    LineEvent e;
    while (!beginning.empty()) {
        const std::string_view line = without_carriage_return(take_up_to(beginning, '\n'));
        if (TableLines::is_heading(line)) return RecordingFormat::table;
        if (BpftraceLines::is_one(line)) return RecordingFormat::bpftrace;
        e.clear();
        const LineIs is = tracer.read(line, e);
        if (is == LineIs::event || is == LineIs::other) break;
    }
    return RecordingFormat::tracer;
}

NoRecording why_no_recording(std::string_view beginning) {
    if (beginning.empty()) return {0, 0, "empty"};
    for (const Signature& signature : kSignatures)
        if (beginning.starts_with(signature.bytes)) return {1, 1, signature.says};
    int line = 1;
    std::size_t line_begin = 0;
    for (std::size_t at = 0; at < beginning.size(); ++at) {
        const auto c = static_cast<unsigned char>(beginning[at]);
        if (c == '\n') {
            ++line;
            line_begin = at + 1;
        } else if (c < ' ' && c != '\t' && c != '\r') {
            return {line, static_cast<int>(at - line_begin) + 1,
                    fmt::format("no text: a byte {:#04x}, and no switch between tasks", c)};
        }
    }
    const std::string_view first = without_carriage_return(take_up_to(beginning, '\n'));
    constexpr std::size_t kEnough = 60;
    return {1, 1,
            fmt::format("no switch between tasks in it, in any form that is read; it begins '{}'",
                        printable(shorten(first, kEnough)))};
}

}  // namespace sim::exchange
