// Parser for tables that other programs make from traces, and for the events of chrome://tracing: one row per
// line, as JSON or as columns with a heading.
//
//   sched          intervals of threads on a CPU: ts, dur, cpu, tid, end_state
//   thread_state   the same, and the states of threads without a CPU: ts, dur, cpu, tid, state
//
// Both have the columns of Perfetto's SQL tables, with times in nanoseconds; tid comes from a join with the
// table `thread`. Optional columns: name (or thread_name), pid of the process, priority (or prio), waker_tid,
// irq_context. Events of chrome://tracing have a "ph" and times in microseconds: "ph" T is a row of
// thread_state, and M is the name of a thread. In an export of this program, B and E are the start and the
// end of kernel work.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace_io/import/line_event.h"

namespace sim::trace_io {

class RowLineParser {
  public:
    // True if `line`, the first line of a file, is the heading of a table of CPU intervals or thread states:
    // it has the columns ts and dur. Other columns may be missing.
    static bool is_heading(std::string_view line);
    // The required columns that are missing, human-readable; empty: none.
    static std::string missing_columns(std::string_view heading);

    // Treats events of chrome://tracing as those of an export of this program.
    void treat_as_export() { is_export_ = true; }

    // Reads a row, which may contain two events. Sets `has_second` if there is a second event, which is not
    // earlier than the first. A line that starts with '{' is JSON. REQUIRES: clear() has been called for both
    // events.
    LineClass read(std::string_view line, LineEvent& first, LineEvent& second, bool& has_second);

  private:
    enum Column : std::uint8_t { ts, dur, cpu, tid, state, name, pid, priority, waker_tid, irq_context };
    static constexpr std::size_t kColumns = 10;
    using Cells = std::array<std::optional<std::string>, kColumns>;

    static std::optional<Column> column_of(std::string_view name);
    static std::vector<std::string> split(std::string_view line, char separator);
    static char separator_of(std::string_view heading);

    LineClass read_json(std::string_view line, LineEvent& first, LineEvent& second, bool& has_second);
    LineClass read_cells(const Cells& cells, bool is_state_of_thread, LineEvent& first, LineEvent& second,
                         bool& has_second) const;

    std::vector<std::optional<Column>> heading_;
    char separator_ = ',';
    bool has_states_ = false;  // the rows are thread states, not only CPU intervals
    bool is_export_ = false;
};

}  // namespace sim::trace_io
