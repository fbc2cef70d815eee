// One text of a recording, as what its lines say in the order of time.
#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "sim/exchange/bpftrace_lines.h"
#include "sim/exchange/line_event.h"
#include "sim/exchange/reader.h"
#include "sim/exchange/recording_format.h"
#include "sim/exchange/reorder_buffer.h"
#include "sim/exchange/row_lines.h"
#include "sim/exchange/table_lines.h"
#include "sim/exchange/text_lines.h"
#include "sim/exchange/threads_by_pid.h"
#include "sim/exchange/tracer_lines.h"

namespace sim::exchange {

class RecordingSource {
  public:
    // What of a line's number is known: it is counted; it stands before the line and a tab; or it is that of
    // a text within a file, and says nobody anything.
    enum class Numbers : std::uint8_t { counted, written, none };

    // All of these outlive this. At most so many events are kept to be set in order. What it begins with says
    // what the text is, but for rows that another part of the file has said to be such. Throws ScenarioError
    // for a table that lacks columns, of `file`.
    RecordingSource(std::istream& in, const std::string& file, Notes& notes, std::size_t most,
                    Numbers numbers);

    // The first that has not been taken; null at the end. It is a loan until the next call.
    const LineEvent* first();
    // REQUIRES: first() is not null.
    void take(LineEvent& event);

    RecordingFormat format() const { return format_; }
    // What an export says of its run, as far as that has been read.
    const std::optional<RunInfo>& run() const { return tracer_.run(); }
    bool is_export() const { return format_ == RecordingFormat::table || run().has_value(); }
    // Of rows: those of chrome://tracing are of our export.
    void set_is_export() { rows_.set_is_export(); }

    // What it begins with, for a message when nothing comes of it.
    const std::string& beginning() const { return beginning_; }
    Notes& notes() const { return notes_; }
    const std::string& file() const { return file_; }

  private:
    LineIs read_line(std::string_view line);
    void take_line(std::string_view line);
    void keep(LineEvent& event, bool is_second);
    void look_at_the_order(const LineEvent& event);

    TextLines lines_;
    const std::string& file_;
    Notes& notes_;
    Numbers numbers_;
    std::string beginning_;
    RecordingFormat format_;
    TracerLines tracer_;
    TableLines table_;
    BpftraceLines bpftrace_;
    RowLines rows_;
    ReorderBuffer waiting_;
    LineEvent event_, second_;
    std::vector<LineEvent> timeless_;  // before the first event
    std::int64_t last_time_ = kNoTime;
    bool is_over_ = false, has_second_ = false;
    std::uint64_t line_ = 0;
    std::array<std::int64_t, kMaxCpus> previous_{};  // times, by CPU
    std::uint64_t others_ = 0;                       // events
};

}  // namespace sim::exchange
