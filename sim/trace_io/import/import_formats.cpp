#include "sim/trace_io/import/import_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/trace_io/import/bpftrace_lines.h"
#include "sim/trace_io/import/input_kind.h"
#include "sim/trace_io/import/json_split.h"
#include "sim/trace_io/import/row_lines.h"
#include "sim/trace_io/import/scanning.h"
#include "sim/trace_io/import/table_line_parser.h"
#include "sim/trace_io/import/tracer_line_parser.h"

namespace sim::trace_io {
namespace {

using namespace std::string_view_literals;

const std::vector<FileSignature>& signatures() {
    static const std::vector<FileSignature> list{
        {"PERFILE2"sv,
         "a file of perf record: convert it to text with 'perf script'",
         {"perf", "script", "--ns", "-F", "comm,pid,tid,cpu,time,event,trace", "-i"},
         {"perf", "script", "--header-only", "-i"}},
        // -N prints arguments as the kernel does, because trace-cmd's plugins shorten them. -t prints all
        // digits of times. -l prints the flags. --uname prints the name of the kernel; in files that this
        // program exports, this name contains the facts about the run (RunInfo).
        {"\x17\x08\x44tracing"sv,
         "a file of trace-cmd record: convert it to text with 'trace-cmd report'",
         {"trace-cmd", "report", "-N", "-t", "-l", "-i"},
         {"trace-cmd", "report", "--uname", "-i"}},
        {"\x1f\x8b"sv, "compressed (gzip): unpack it first", {"gzip", "-dc", "--"}},
        {"\x28\xb5\x2f\xfd"sv, "compressed (zstd): unpack it first", {"zstd", "-dcq", "--"}},
        {"\xfd"
         "7zXZ"sv,
         "compressed (xz): unpack it first",
         {"xz", "-dc", "--"}},
        {"BZh"sv, "compressed (bzip2): unpack it first", {"bzip2", "-dc", "--"}},
        {"PK\x03\x04"sv, "compressed (zip): unpack it first", {}},
        {"\xff\xfe"sv, "text in UTF-16: only UTF-8 is supported", {}},
        {"\xfe\xff"sv, "text in UTF-16: only UTF-8 is supported", {}},
        {"{\"format\": \"switchyard-schedule/"sv,
         "an export in the format schedule, which cannot be read: use ftrace, chrome, csv, trace.dat or "
         "perf.data",
         {}},
    };
    return list;
}

}  // namespace

// A Perfetto trace is a series of packets in the encoding of Protocol Buffers. Each packet is a message in a
// field with number 1. `bytes` may end within the last packet.
bool is_perfetto(std::string_view bytes) {
    constexpr std::uint64_t kPacketTag = 1 << 3 | 2;
    const auto take_varint = [](std::string_view& text, std::uint64_t& value) {
        value = 0;
        for (unsigned shift = 0; shift < 64 && !text.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(text.front());
            text.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) return true;
        }
        return false;
    };
    std::size_t packets = 0;
    while (!bytes.empty()) {
        std::uint64_t tag = 0, size = 0;
        constexpr std::size_t kLongestHead = 11;
        // The remaining bytes may be a packet that is cut off.
        if (packets > 0 && bytes.size() < kLongestHead) break;
        if (!take_varint(bytes, tag) || tag != kPacketTag || !take_varint(bytes, size)) return false;
        if (size == 0 || (packets == 0 && size > bytes.size() && bytes.size() < 16)) return false;
        std::string_view packet = bytes.substr(0, std::min<std::size_t>(bytes.size(), size));
        const bool is_whole = packet.size() == size;
        bytes.remove_prefix(packet.size());
        while (!packet.empty()) {
            if (!take_varint(packet, tag)) return !is_whole;
            if (tag >> 3 == 0) return false;
            std::uint64_t length = 0;
            switch (tag & 7) {
                case 0:
                    if (!take_varint(packet, length)) return !is_whole;
                    length = 0;
                    break;
                case 1:
                    length = 8;
                    break;
                case 2:
                    if (!take_varint(packet, length)) return !is_whole;
                    break;
                case 5:
                    length = 4;
                    break;
                default:
                    return false;
            }
            if (length > packet.size() && is_whole) return false;
            packet.remove_prefix(std::min<std::size_t>(packet.size(), length));
        }
        ++packets;
    }
    return packets > 0;
}

namespace {

std::string_view without_carriage_return(std::string_view line) {
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

}  // namespace

const FileSignature* find_signature(std::string_view beginning) {
    const auto place = std::find_if(signatures().begin(), signatures().end(),
                                    [&](const FileSignature& s) { return beginning.starts_with(s.bytes); });
    return place == signatures().end() ? nullptr : &*place;
}

// From version 7 of trace.dat on, the header contains the name of a compression algorithm, after the version,
// the byte order, the size of long, and the size of pages.
std::string unsupported_compression_message(std::string_view beginning) {
    constexpr std::string_view kMagic = "\x17\x08\x44tracing";
    constexpr std::size_t kBetween = 6;
    if (!beginning.starts_with(kMagic)) return "";
    beginning.remove_prefix(kMagic.size());
    std::uint64_t version = 0;
    const std::string_view number = take_up_to(beginning, '\0');
    if (!parse_number(number, version) || version < 7 || beginning.size() <= kBetween) return "";
    const std::string_view name = beginning.substr(kBetween, beginning.find('\0', kBetween) - kBetween);
    for (const std::string_view known : {"", "none", "zlib", "zstd"})
        if (name == known) return "";
    return fmt::format(
        "a trace.dat compressed with '{}', which trace-cmd cannot read: record it with 'trace-cmd record "
        "--compression none'",
        printable(name));
}

const char* to_string(ImportFormat format) {
    switch (format) {
        case ImportFormat::table:
            return "a table of events (csv)";
        case ImportFormat::bpftrace:
            return "bpftrace output in SchedViz's form";
        case ImportFormat::rows:
            return "a Perfetto table or JSON";
        case ImportFormat::tracer:
            break;
    }
    return "the text of a tracer";
}

namespace {

// The format of the first line that matches an import format; std::nullopt: none matches.
std::optional<ImportFormat> recognized_format(std::string_view beginning) {
    TracerLineParser tracer;
    LineEvent e;
    while (!beginning.empty()) {
        const std::string_view line = without_carriage_return(take_up_to(beginning, '\n'));
        if (TableLineParser::is_heading(line)) return ImportFormat::table;
        if (RowLineParser::is_heading(line)) return ImportFormat::rows;
        if (BpftraceLineParser::is_bpftrace_line(line)) return ImportFormat::bpftrace;
        e.clear();
        const LineClass is = tracer.read(line, e);
        if (is == LineClass::event || is == LineClass::other) return ImportFormat::tracer;
    }
    return std::nullopt;
}

}  // namespace

ImportFormat detect_format(std::string_view beginning) {
    return recognized_format(beginning).value_or(ImportFormat::tracer);
}

bool is_html(std::string_view beginning) {
    if (beginning.starts_with("\xef\xbb\xbf")) beginning.remove_prefix(3);
    beginning.remove_prefix(std::min(beginning.find_first_not_of(" \t\r\n"), beginning.size()));
    const auto starts_with = [&](std::string_view tag) {
        return beginning.size() >= tag.size() &&
               std::equal(tag.begin(), tag.end(), beginning.begin(),
                          [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
    };
    return starts_with("<!doctype html") || starts_with("<html");
}

bool looks_like_a_trace(std::string_view beginning) {
    if (is_html(beginning)) return true;  // systrace.py writes a viewer of any size before the trace
    const FileSignature* const signature = find_signature(beginning);
    if (signature != nullptr && !signature->words.empty()) return true;
    if (is_json_list(beginning))
        return beginning[beginning.find_first_of("[{")] == '[' ||
               beginning.find("\"traceEvents\"") != std::string_view::npos;
    return recognized_format(beginning).has_value();
}

FormatDiagnosis explain_not_a_trace(std::string_view beginning) {
    if (beginning.empty()) return {0, 0, "empty"};
    if (std::string known = unsupported_format_message(beginning); !known.empty())
        return {1, 1, std::move(known)};
    if (const FileSignature* const signature = find_signature(beginning))
        return {1, 1, signature->description};
    int line = 1;
    std::size_t line_begin = 0;
    for (std::size_t at = 0; at < beginning.size(); ++at) {
        const auto c = static_cast<unsigned char>(beginning[at]);
        if (c == '\n') {
            ++line;
            line_begin = at + 1;
        } else if (c < ' ' && c != '\t' && c != '\r') {
            return {
                line, static_cast<int>(at - line_begin) + 1,
                fmt::format("not a text file: it contains the byte {:#04x}, and no switch between tasks", c)};
        }
    }
    const std::string_view first = without_carriage_return(take_up_to(beginning, '\n'));
    constexpr std::size_t kEnough = 60;
    return {1, 1,
            fmt::format("no switch between tasks in any supported format; the file starts with '{}'",
                        printable(shorten(first, kEnough)))};
}

}  // namespace sim::trace_io
