// Reads the lines of one text of a trace, and returns their events in order of time.
#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace_io/import/bpftrace_lines.h"
#include "sim/trace_io/import/import_formats.h"
#include "sim/trace_io/import/line_event.h"
#include "sim/trace_io/import/line_reader.h"
#include "sim/trace_io/import/missing_switches.h"
#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/import/reorder_buffer.h"
#include "sim/trace_io/import/row_lines.h"
#include "sim/trace_io/import/table_line_parser.h"
#include "sim/trace_io/import/threads_by_pid.h"
#include "sim/trace_io/import/tracer_line_parser.h"

namespace sim::trace_io {

class TraceSource {
  public:
    // Origin of line numbers. counted: TraceSource counts lines; written: each line starts with its number
    // and a tab; none: embedded text, where line numbers would be useless.
    enum class LineNumberOrigin : std::uint8_t { counted, written, none };

    // All arguments outlive this. `most`: maximum number of events kept for sorting. The format is detected,
    // except for numbered rows (LineNumberOrigin::written). Throws ScenarioError if a table lacks columns.
    TraceSource(std::istream& in, const std::string& file, Notes& notes, std::size_t most,
                LineNumberOrigin numbers);

    // The first event not yet taken; nullptr at the end. Valid until the next call.
    const LineEvent* peek_event();
    // REQUIRES: peek_event() is not null.
    void take(LineEvent& event);

    ImportFormat format() const { return format_; }
    // The RunInfo of an export; std::nullopt before its header has been read.
    const std::optional<RunInfo>& run_info() const { return tracer_.run_info(); }
    bool is_export() const { return format_ == ImportFormat::table || run_info().has_value(); }
    // Treats rows of chrome://tracing as those of an export of this program.
    void treat_as_export() { rows_.treat_as_export(); }

    // Shares the time of the newest event read with the sources of other files.
    void share_newest_time(std::int64_t& newest_time) { newest_ = &newest_time; }

    // The beginning of the text, for error messages.
    const std::string& beginning() const { return beginning_; }
    Notes& notes() const { return notes_; }
    const std::string& file() const { return file_; }

  private:
    LineClass read_line(std::string_view line);
    void process_line(std::string_view line);
    void keep_for_sorting(LineEvent& event, bool is_extra_event);
    void add_switches_from_silent_cpus();
    void note_wrong_order(const LineEvent& event);

    LineReader lines_;
    const std::string& file_;
    Notes& notes_;
    LineNumberOrigin numbers_;
    std::string beginning_;
    ImportFormat format_;
    bool is_page_ = false;  // a trace in HTML
    TracerLineParser tracer_;
    TableLineParser table_;
    BpftraceLineParser bpftrace_;
    RowLineParser rows_;
    ReorderBuffer waiting_;
    MissingSwitches missing_;
    LineEvent event_, second_;
    std::vector<LineEvent> timeless_;  // events without a time that precede the first event with a time
    std::int64_t last_time_ = kNoTime;
    std::int64_t own_newest_ = 0, *newest_ = &own_newest_;
    bool is_over_ = false, has_second_ = false;
    std::uint64_t line_ = 0;
    std::array<std::int64_t, kMaxCpus> previous_{};  // time of the last event, by CPU
    std::uint64_t others_ = 0;                       // number of events of types that are ignored
};

}  // namespace sim::trace_io
