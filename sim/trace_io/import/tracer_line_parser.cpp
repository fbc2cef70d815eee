// A line consists of a head and an event:
//   comm-pid (tgid) [cpu] flags seconds.fraction: event: arguments    tracefs, trace-cmd report
//   comm-pid cpu|flags microseconds us+: event: arguments             tracefs with latency-format
//   comm pid/tid [cpu] seconds.fraction: period sys:event: arguments  perf script
// tgid, flags, tid and period are optional. A comm may contain spaces and brackets and end in digits, so a
// head is read backwards from [cpu].
#include "sim/trace_io/import/tracer_line_parser.h"

#include <algorithm>

#include "sim/trace_io/import/line_reader.h"
#include "sim/trace_io/import/run_header.h"
#include "sim/trace_io/import/scanning.h"

namespace sim::trace_io {
namespace {

constexpr std::int64_t kNanosInASecond = 1'000'000'000;

// Reads "seconds.fraction", with at most nine digits in the fraction, as nanoseconds.
bool parse_seconds(std::string_view text, std::int64_t& time) {
    constexpr std::int64_t kMostSeconds = 9'000'000'000;
    constexpr std::size_t kNanoDigits = 9;
    std::int64_t seconds = 0, fraction = 0;
    if (text.empty() || !is_digit(text.front()) || !take_number(text, seconds) || seconds > kMostSeconds)
        return false;
    if (text.size() < 2 || text.front() != '.' || !is_digit(text[1])) return false;
    text.remove_prefix(1);
    const std::size_t digits = text.size();
    if (digits > kNanoDigits || !parse_number(text, fraction)) return false;
    for (std::size_t d = digits; d < kNanoDigits; ++d) fraction *= 10;
    time = seconds * kNanosInASecond + fraction;
    return true;
}

// True if the text is the column of flags: irqs-off, need-resched, hard or soft interrupt, preemption
// depth, and flags of later kernels.
bool is_flags_column(std::string_view text) {
    constexpr std::size_t kFewest = 3, kMost = 8;
    if (text.size() < kFewest || text.size() > kMost || is_digit(text.front())) return false;
    return std::all_of(text.begin(), text.end(), [](char c) {
        return c == '.' || c == '#' || is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
}

LineEvent::Interrupt interrupt_of(std::string_view flags) {
    return std::string_view("hHsSzZ").find(flags[2]) == std::string_view::npos ? LineEvent::Interrupt::no
                                                                               : LineEvent::Interrupt::yes;
}

// Reads optional flags and the time after [cpu]; some versions print no space between five flags and the
// time. `rest`: text after the colon.
bool take_flags_and_time(std::string_view text, LineEvent& e, std::string_view& rest) {
    constexpr std::size_t kGluedFlags = 5;
    std::string_view word = take_word(text);
    if (word.empty()) return false;
    if (!is_digit(word.front())) {
        const bool is_glued = word.back() == ':';
        const std::string_view flags = is_glued ? word.substr(0, kGluedFlags) : word;
        if (!is_flags_column(flags)) return false;
        e.interrupt = interrupt_of(flags);
        word = is_glued ? word.substr(flags.size()) : take_word(text);
    }
    if (!word.ends_with(':') || !parse_seconds(word.substr(0, word.size() - 1), e.time)) return false;
    rest = text;
    return true;
}

// Reads a time such as "16163us : " or "16257us+: ", or a time in seconds such as "12.345678: ".
bool take_latency_format_time(std::string_view text, LineEvent& e, std::string_view& rest) {
    constexpr std::int64_t kMicro = 1'000, kMost = 9'000'000'000'000'000;
    text = without_leading_spaces(text);
    std::string_view number = text;
    std::int64_t micros = 0;
    if (!number.empty() && is_digit(number.front()) && take_number(number, micros) &&
        number.starts_with("us")) {
        const std::size_t colon = number.find(':');
        if (colon == std::string_view::npos || colon > 4 || micros > kMost) return false;
        e.time = micros * kMicro;
        rest = without_leading_spaces(number.substr(colon + 1));
        return true;
    }
    const std::string_view word = take_word(text);
    if (!word.ends_with(':') || !parse_seconds(word.substr(0, word.size() - 1), e.time)) return false;
    rest = text;
    return true;
}

// True for a placeholder: <...>, or perf's :1234.
bool is_placeholder_name(std::string_view name) {
    return name.empty() || name == "<...>" ||
           (name.size() > 1 && name.front() == ':' && count_trailing_digits(name) + 1 == name.size());
}

// Reads "comm-pid" or "comm pid", with optional text around it.
bool take_task(std::string_view text, ThreadFields& fields) {
    text = without_trailing_spaces(text);
    const std::size_t digits = count_trailing_digits(text);
    if (digits == 0 || digits == text.size()) return false;
    std::string_view number = text.substr(text.size() - digits);
    if (!parse_number(number, fields.pid)) return false;
    text.remove_suffix(digits);
    const char before = text.back();
    text.remove_suffix(1);
    if (before == '/') {  // perf's pid/tid; this program calls them tgid and pid
        const std::size_t more = count_trailing_digits(text);
        if (more == 0 || more == text.size()) return false;
        if (!parse_number(text.substr(text.size() - more), fields.tgid)) return false;
        text.remove_suffix(more);
        if (text.back() != ' ') return false;
    } else if (before != '-' && before != ' ') {
        return false;
    }
    std::string_view name = before == '-' ? text : without_trailing_spaces(text);
    name = without_leading_spaces(name);
    if (before == '-' && fields.pid == 1 && without_trailing_spaces(name) == ":-1") {
        fields.pid = kUnset;  // perf prints ":-1" for a thread that has exited
        return true;
    }
    // trace-cmd prints the name of the buffer first.
    if (const std::size_t buffer = name.find(":  "); buffer != std::string_view::npos)
        name = without_leading_spaces(name.substr(buffer + 1));
    if (is_placeholder_name(name)) return true;
    fields.name = name;
    fields.name_is_of_the_printer = true;
    return true;
}

// Removes "(tgid)" or "(-----)" from the end of the text and stores the tgid.
void take_tgid(std::string_view& text, std::int32_t& tgid) {
    text = without_trailing_spaces(text);
    if (!text.ends_with(')')) return;
    const std::size_t begin = text.rfind('(');
    if (begin == std::string_view::npos) return;
    const std::string_view inside = text.substr(begin + 1, text.size() - begin - 2);
    std::int32_t number = 0;
    if (parse_number(without_leading_spaces(inside), number) && number >= 0)
        tgid = number;
    else if (inside.find_first_not_of("- ") != std::string_view::npos)
        return;
    text = text.substr(0, begin);
}

// Reads the head of a line without brackets, in which the CPU is directly before the flags.
bool read_latency_format_head(std::string_view line, LineEvent& e, std::string_view& rest) {
    for (std::size_t at = line.find('-'); at != std::string_view::npos; at = line.find('-', at + 1)) {
        std::string_view text = line.substr(at + 1);
        std::int32_t pid = 0;
        if (text.empty() || !is_digit(text.front()) || !take_number(text, pid) || !text.starts_with(' '))
            continue;
        std::string_view word = take_word(text);
        std::int32_t tgid = kUnset;
        if (word.starts_with('(')) {
            const std::size_t end = text.find(')');
            if (!word.ends_with(')') && end == std::string_view::npos) continue;
            std::string_view inside = word.substr(1);
            if (inside.empty()) inside = text.substr(0, end);
            if (!word.ends_with(')')) text.remove_prefix(end + 1);
            if (!take_number(inside, tgid)) tgid = kUnset;
            word = take_word(text);
        }
        CpuId cpu = 0;
        if (word.empty() || !is_digit(word.front()) || !take_number(word, cpu) || !is_flags_column(word))
            continue;
        if (!take_latency_format_time(text, e, rest)) continue;
        e.cpu = cpu;
        e.interrupt = interrupt_of(word);
        e.current.tgid = tgid;
        return take_task(line.substr(0, at + 1 + count_trailing_digits(line.substr(0, line.find(' ', at)))),
                         e.current);
    }
    return false;
}

// The count in "CPU:1 [LOST 12 EVENTS]" or "CPU:1 [12 EVENTS DROPPED]"; 0 for another line.
std::uint64_t parse_lost_event_count(std::string_view line) {
    if (!line.starts_with("CPU:")) return 0;
    line = line.substr(std::min(line.find('['), line.size()));
    if (line.find("LOST") == std::string_view::npos && line.find("DROPPED") == std::string_view::npos)
        return 0;
    line = line.substr(std::min(line.find_first_of("0123456789"), line.size()));
    std::uint64_t count = 0;
    return take_number(line, count) && count > 0 ? count : 1;  // no number: at least one event was lost
}

}  // namespace

bool TracerLineParser::read_event_head(std::string_view line, LineEvent& e, std::string_view& rest) {
    for (std::size_t at = line.find('['); at != std::string_view::npos; at = line.find('[', at + 1)) {
        std::string_view text = line.substr(at + 1);
        if (text.empty() || !is_digit(text.front()) || !take_number(text, e.cpu) || !text.starts_with(']'))
            continue;
        if (!take_flags_and_time(text.substr(1), e, rest)) continue;
        std::string_view task = line.substr(0, at);
        take_tgid(task, e.current.tgid);
        return take_task(task, e.current);
    }
    return read_latency_format_head(line, e, rest);
}

// Classifies a line that is not an event.
LineClass TracerLineParser::read_non_event_line(std::string_view line) {
    if (line.starts_with(LineReader::kHeader)) {
        arguments_.treat_as_export();
        if (!run_) run_ = run_info_of(line.substr(LineReader::kHeader.size()));
        return run_ ? LineClass::header : LineClass::broken;
    }
    if (line == kZeroIsOne) zero_is_one_ = true;
    if (line.starts_with('#') || line.find_first_not_of(" \t") == std::string_view::npos)
        return LineClass::header;
    // Lines of call stacks, as the kernel and perf print them.
    if (line.starts_with('\t') || line.starts_with(" => ")) return LineClass::header;
    lost_ = parse_lost_event_count(line);
    if (lost_ > 0) return LineClass::header;
    if (line.starts_with("cpus=") || line.starts_with("version = ") || line.starts_with("CPU:") ||
        (line.starts_with("CPU ") && line.ends_with(" is empty")))
        return LineClass::header;
    return LineClass::broken;
}

LineClass TracerLineParser::read(std::string_view line, LineEvent& e) {
    lost_ = 0;
    if (line.empty() || line.front() == '#') return read_non_event_line(line);
    std::string_view rest;
    if (!read_event_head(line, e, rest)) {
        e.clear();
        return read_non_event_line(line);
    }
    if (zero_is_one_ && e.time == 1) e.time = 0;
    std::string_view event = take_word(rest);
    if (event.starts_with("(+") && event.ends_with(')'))
        event = take_word(rest);  // "(+delta)" of trace-cmd report --ts-diff
    if (!event.empty() && count_trailing_digits(event) == event.size())
        event = take_word(rest);  // perf's period
    if (event.ends_with(':')) event.remove_suffix(1);
    event.remove_prefix(event.rfind(':') + 1);
    if (event.empty()) return LineClass::broken;
    if (event == "PERF_RECORD_LOST") {
        take_word(rest);  // "lost"
        if (!take_number(rest, lost_)) lost_ = 1;
        return LineClass::header;
    }
    return arguments_.read(event, rest, e);
}

}  // namespace sim::trace_io
