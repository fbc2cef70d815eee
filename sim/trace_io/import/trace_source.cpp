#include "sim/trace_io/import/trace_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "sim/base/problem.h"
#include "sim/trace_io/import/input_kind.h"
#include "sim/trace_io/import/scanning.h"

namespace sim::trace_io {
namespace {

// Some editors write a byte order mark before a text.
std::string_view without_byte_order_mark(std::string_view text) {
    return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

}  // namespace

TraceSource::TraceSource(std::istream& in, const std::string& file, Notes& notes, std::size_t most,
                         LineNumberOrigin numbers)
    : lines_(in), file_(file), notes_(notes), numbers_(numbers), waiting_(most) {
    constexpr std::size_t kEnough = 4096;
    beginning_ = lines_.beginning().substr(0, kEnough);
    format_ = numbers == LineNumberOrigin::written
                  ? ImportFormat::rows
                  : detect_format(without_byte_order_mark(lines_.beginning()));
    is_page_ = is_html(beginning_);
    if (format_ == ImportFormat::tracer && has_time_differences(lines_.beginning()))
        throw ScenarioError(Problem{file_, 1, 1, {}, unsupported_format_message(lines_.beginning())});
    if (format_ != ImportFormat::rows || numbers == LineNumberOrigin::written) return;
    std::string_view heading = without_byte_order_mark(beginning_);
    heading = take_up_to(heading, '\n');
    if (heading.ends_with('\r')) heading.remove_suffix(1);
    if (const std::string missing = RowLineParser::missing_columns(heading); !missing.empty())
        throw ScenarioError(
            Problem{file_,
                    1,
                    1,
                    {},
                    fmt::format("a table with ts and dur needs the columns ts, dur, cpu, tid, and state (of "
                                "Perfetto's thread_state) or end_state (of sched); missing: {}",
                                missing)});
}

LineClass TraceSource::read_line(std::string_view line) {
    switch (format_) {
        case ImportFormat::table:
            return table_.read(line, event_);
        case ImportFormat::bpftrace:
            return bpftrace_.read(line, event_);
        case ImportFormat::rows:
            second_.clear();
            return rows_.read(line, event_, second_, has_second_);
        case ImportFormat::tracer:
            break;
    }
    const LineClass is = tracer_.read(line, event_);
    if (tracer_.lost_event_count() > 0)
        notes_.add({"event that the tracer reports as lost", "events that the tracer reports as lost"}, line_,
                   tracer_.lost_event_count());
    if (is == LineClass::event && tracer_.arguments().is_last_switch_state_ambiguous())
        notes_.add({"switch that does not distinguish a preempted task from one that called sched_yield()",
                    "switches that do not distinguish a preempted task from one that called sched_yield()"},
                   line_);
    if (is == LineClass::event && tracer_.arguments().is_last_switch_state_unknown())
        notes_.add({"switch with an unknown prev_state, treated as sleep",
                    "switches with an unknown prev_state, treated as sleep"},
                   line_);
    return is;
}

// Adds a note if the event is earlier than the previous event on its CPU. The events that a tracer records on
// one CPU are in order.
void TraceSource::note_wrong_order(const LineEvent& event) {
    if (event.is == LineEvent::Type::rename || event.is == LineEvent::Type::thread_state ||
        event.cpu >= kMaxCpus)
        return;
    std::int64_t& previous = previous_[event.cpu];
    if (event.time < previous)
        notes_.add({"event earlier than the previous event of its CPU, sorted by time (parts of several "
                    "traces?)",
                    "events earlier than the previous event of their CPU, sorted by time (parts of several "
                    "traces?)"},
                   line_);
    previous = event.time;
}

void TraceSource::keep_for_sorting(LineEvent& event, bool is_extra_event) {
    event.line = line_;
    if (event.time == kNoTime) {
        if (last_time_ == kNoTime) {
            if (timeless_.size() < kMostThreads) timeless_.push_back(event);
            return;
        }
        event.time = last_time_;
    } else if (last_time_ == kNoTime) {
        for (LineEvent& early : timeless_) {
            early.time = event.time;
            waiting_.put(std::move(early));
        }
        timeless_.clear();
    }
    if (!is_extra_event) last_time_ = event.time;
    const bool is_inferred =
        event.is == LineEvent::Type::switch_in || event.is == LineEvent::Type::switch_out;
    if (is_inferred) event.time = std::max(event.time, waiting_.last_taken_time());
    if (!waiting_.put(std::move(event)))
        notes_.add({"event too late to be sorted, omitted", "events too late to be sorted, omitted"}, line_);
}

void TraceSource::process_line(std::string_view line) {
    // Early versions of systrace.py write each line of the trace as a piece of a JavaScript string.
    constexpr std::string_view kEscapedEnd = "\\n\\";
    if (is_page_ && line.ends_with(kEscapedEnd)) line.remove_suffix(kEscapedEnd.size());
    line_ = numbers_ == LineNumberOrigin::none ? 0 : lines_.line_number();
    if (numbers_ == LineNumberOrigin::written && !(take_number(line, line_) && line.starts_with('\t')))
        return;
    if (numbers_ == LineNumberOrigin::written) line.remove_prefix(1);
    event_.clear();
    has_second_ = false;
    switch (read_line(line)) {
        case LineClass::event:
            break;
        case LineClass::other:
            ++others_;
            return;
        case LineClass::header:
            return;
        case LineClass::broken:
            if (is_page_) return;  // a line of the HTML page around the trace
            notes_.add({"line that is not an event", "lines that are not events"}, line_);
            return;
        case LineClass::broken_arguments:
            notes_.add({"event with missing or invalid fields", "events with missing or invalid fields"},
                       line_);
            return;
    }
    note_wrong_order(event_);
    *newest_ = std::max(*newest_, event_.time);
    if (format_ == ImportFormat::tracer && !is_export())
        for (LineEvent& missing : missing_.switches_implied_by(event_)) keep_for_sorting(missing, true);
    keep_for_sorting(event_, false);
    if (has_second_) keep_for_sorting(second_, true);
}

// If a CPU has had no line for several ticks, adds a switch away from its task, before a later event is
// taken.
void TraceSource::add_switches_from_silent_cpus() {
    if (format_ != ImportFormat::tracer || is_export()) return;
    const auto due = [&] {
        const bool is_last = is_over_ && waiting_.size() == 1;
        return missing_.switches_from_silent_cpus(
            is_last ? std::numeric_limits<std::int64_t>::max() : waiting_.first().time, *newest_);
    };
    for (std::span<LineEvent> missing = due(); !missing.empty(); missing = due())
        for (LineEvent& out : missing) keep_for_sorting(out, true);
}

const LineEvent* TraceSource::peek_event() {
    while (!is_over_ && !waiting_.is_full()) {
        std::string_view line;
        if (!lines_.next_line(line)) {
            is_over_ = true;
            if (others_ > 0)
                notes_.add({"event of another kind, ignored", "events of other kinds, ignored"}, 0, others_);
            missing_.add_notes(notes_);
        } else if (lines_.was_too_long()) {
            line_ = numbers_ == LineNumberOrigin::none ? 0 : lines_.line_number();
            notes_.add({"line longer than 64 KiB", "lines longer than 64 KiB"}, line_);
        } else {
            process_line(lines_.line_number() == 1 ? without_byte_order_mark(line) : line);
        }
    }
    if (waiting_.is_empty()) return nullptr;
    add_switches_from_silent_cpus();
    return &waiting_.first();
}

void TraceSource::take(LineEvent& event) { waiting_.take(event); }

}  // namespace sim::trace_io
