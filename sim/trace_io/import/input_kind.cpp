#include "sim/trace_io/import/input_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/text.h"
#include "sim/os/files.h"
#include "sim/scenario/json_tree.h"
#include "sim/trace_io/import/import_formats.h"
#include "sim/trace_io/import/json_split.h"
#include "sim/trace_io/import/scanning.h"
#include "sim/trace_io/import/tracer_line_parser.h"
#include "sim/trace_io/rt_app/rt_app.h"

namespace sim::trace_io {
namespace {

using namespace std::string_view_literals;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

constexpr std::size_t kBytesOfKind = std::size_t{1} << 16;
constexpr std::string_view kOfCtf =
    "a trace of LTTng in CTF, which cannot be read: record with 'perf sched record' or 'trace-cmd record -e "
    "sched'";

std::string unsupported_text_format(std::string_view beginning) {
    for (std::string_view text = beginning; !text.empty();) {
        const std::string_view line = take_up_to(text, '\n');
        if (has(line, "task name") && has(line, "wait time") && has(line, "sch delay"))
            return "output of perf sched timehist, which has no task states: use the output of 'perf sched "
                   "script'";
        if (has(line, "Runtime ms") && has(line, "Switches"))
            return "output of perf sched latency, which has only sums: use the output of 'perf sched script'";
        if (has(line, "sched-in") && has(line, "run-time"))
            return "a summary of perf sched timehist, which has only sums: use the output of 'perf sched "
                   "script'";
        if (has(line, " secs ") && has(line, " => "))
            return "output of perf sched map, which has no task states: use the output of 'perf sched "
                   "script'";
        if (has(line, "{ cpu_id = "))
            return "text of babeltrace (LTTng), which cannot be read: record with 'perf sched record' or "
                   "'trace-cmd record -e sched'";
    }
    return "";
}

// Returns the first 64 KiB of a file. Of a JSON file, returns up to kMaxScenarioBytes + 1 bytes, so that the
// caller can detect a file that is too large for a scenario.
std::string beginning_of(const std::string& path) {
    const os::Descriptor file = os::open_file(path, os::OpenMode::read);
    std::string text, rest;
    if (!file.is_open() || os::read_up_to(file.number(), kBytesOfKind, text) != 0) return text;
    constexpr std::size_t kMost = kMaxScenarioBytes + 1;
    if (text.size() == kBytesOfKind && is_json_list(text) &&
        os::read_up_to(file.number(), kMost - kBytesOfKind, rest) == 0)
        text += rest;
    return text;
}

bool is_of_kind(const std::string& path, os::FileKind kind) {
    os::FileStatus status;
    return os::get_file_status(path, status) == 0 && status.kind == kind;
}

}  // namespace

// perf script --deltatime prints the time since the previous line. perf prints its lines in order of time, so
// times that start at 0 and often decrease are differences. (The times of perf script --reltime start at 0,
// too, but decrease only a few times.)
bool has_time_differences(std::string_view beginning) {
    TracerLineParser tracer;
    LineEvent e;
    std::int64_t previous = kNoTime;
    bool is_perf = false;
    std::size_t lines = 0, back = 0;
    while (!beginning.empty()) {
        const std::string_view line = take_up_to(beginning, '\n');
        e.clear();
        e.time = kNoTime;
        const LineClass is = tracer.read(line, e);
        if ((is != LineClass::event && is != LineClass::other) || e.time == kNoTime) continue;
        is_perf = is_perf || has(line, "sched:sched_");
        if (previous == kNoTime && e.time != 0) return false;
        ++lines;
        back += e.time < previous ? 1 : 0;
        previous = e.time;
    }
    return is_perf && back > 0 && 3 * back >= lines;
}

std::string unsupported_format_message(std::string_view beginning) {
    if (has_time_differences(beginning))
        return "output of perf script --deltatime, whose times are differences: print it without --deltatime";
    constexpr std::string_view kCtfPacket = "\xc1\x1f\xfc\xc1", kCtfPacketSwapped = "\xc1\xfc\x1f\xc1";
    if (beginning.starts_with(kCtfPacket) || beginning.starts_with(kCtfPacketSwapped) ||
        beginning.starts_with("/* CTF "))
        return std::string(kOfCtf);
    constexpr std::string_view kTrace = "TRACE:";
    if (const std::size_t at = beginning.substr(0, 4096).find(kTrace); at != std::string_view::npos) {
        const std::string_view text = beginning.substr(at + kTrace.size());
        if (text.substr(std::min(text.find_first_not_of("\r\n"), text.size())).starts_with('\x78'))
            return "output of atrace -z, which is compressed: record it without -z";
    }
    if (std::string why = unsupported_compression_message(beginning); !why.empty()) return why;
    if (const FileSignature* const signature = find_signature(beginning);
        signature != nullptr && signature->words.empty())
        return signature->description;
    if (std::string lines = unsupported_text_format(beginning); !lines.empty()) return lines;
    return is_perfetto(beginning) ? "a Perfetto trace in Protocol Buffers: convert it to a table with "
                                    "Perfetto's trace processor "
                                    "(docs/how-to/traces.md has the query)"
                                  : "";
}

std::string unsupported_directory_message(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    for (const char* const file : {"metadata", "kernel/metadata"})
        if (fs::is_regular_file(fs::path(path) / file, error)) return std::string(kOfCtf);
    return "";
}

bool is_scenario_text(std::string_view text) { return has(text, "\"switchyard-scenario/"); }

InputKind kind_of_text(std::string_view text) {
    const std::string_view beginning = text.substr(0, kBytesOfKind);
    if (is_json_list(beginning) && is_scenario_text(text)) return InputKind::scenario;
    if (is_rt_app_workload(beginning)) return InputKind::workload;
    if (is_json_list(beginning) && (has(text, "\"traceEvents\"") || text.size() > kMaxScenarioBytes))
        return InputKind::trace;
    if (looks_like_a_trace(beginning) && !has_time_differences(beginning) &&
        unsupported_compression_message(beginning).empty())
        return InputKind::trace;
    return unsupported_format_message(beginning).empty() ? InputKind::scenario : InputKind::unsupported;
}

InputKind kind_of_file(const std::string& path) {
    if (is_of_kind(path, os::FileKind::regular)) return kind_of_text(beginning_of(path));
    return unsupported_directory_message(path).empty() ? InputKind::scenario : InputKind::unsupported;
}

bool is_trace_or_unsupported(const std::string& path) {
    const InputKind kind = kind_of_file(path);
    return kind == InputKind::trace || kind == InputKind::unsupported;
}

std::string why_not_a_scenario(const std::string& path, std::string_view text) {
    const bool is_input = path == "-";
    const auto convert = [&](const char* what, const char* other = "") {
        return fmt::format(
            "{}, not a scenario; convert it with 'switchyard import {} --output scenario.json'{}", what,
            printable(path), other);
    };
    if (const FileSignature* const signature = find_signature(text);
        signature != nullptr && !signature->words.empty()) {
        // Programs that decode a file cannot open standard input by name.
        if (is_input) return signature->description;
        if (std::string_view(signature->description).starts_with("compressed"))
            return fmt::format(
                "{}, or, if it is a trace or workload, convert it with 'switchyard import {} --output "
                "scenario.json'",
                signature->description, printable(path));
    }
    switch (kind_of_text(text)) {
        case InputKind::scenario:
            break;
        case InputKind::trace:
            return convert("a trace",
                           is_input ? " or compare schedulers with 'switchyard reschedule -'" : "");
        case InputKind::workload:
            return convert("an rt-app workload");
        case InputKind::unsupported:
            return unsupported_format_message(text.substr(0, kBytesOfKind));
    }
    return "";
}

std::string why_not_a_scenario(const std::string& path) {
    if (is_of_kind(path, os::FileKind::regular)) return why_not_a_scenario(path, beginning_of(path));
    return unsupported_directory_message(path);
}

}  // namespace sim::trace_io
