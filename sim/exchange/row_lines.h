// Rows of tables that others make of traces, and the events of chrome://tracing: a line each, of JSON or of
// columns with a heading.
//
//   sched          who had a CPU from when to when: ts, dur, cpu, tid, end_state
//   thread_state   the same, and in which state who had none was: ts, dur, cpu, tid, state
// as Perfetto's SQL has them, in nanoseconds, joined with thread for the tid. What there may be besides: name
// (or thread_name), pid of the process, priority (or prio), waker_tid, irq_context. Events of
// chrome://tracing have a "ph", and microseconds: T is a row of thread_state, M names, and B and E of our own
// export are work of the kernel.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/exchange/line_event.h"

namespace sim::exchange {

class RowLines {
  public:
    // Whether a file that begins with this line is such a table. It may lack columns.
    static bool is_heading(std::string_view line);
    // Which of the columns that it needs it lacks, for people; empty: none.
    static std::string lacks(std::string_view heading);

    // Whose events of chrome://tracing are ours.
    void set_is_export() { is_export_ = true; }

    // Into events that are clear(): what a row says may be two things, of which the second is later; it is
    // there where `has_second` says so. A line that begins with '{' is JSON.
    LineIs read(std::string_view line, LineEvent& first, LineEvent& second, bool& has_second);

  private:
    enum Column : std::uint8_t { ts, dur, cpu, tid, state, name, pid, priority, waker_tid, irq_context };
    static constexpr std::size_t kColumns = 10;
    using Cells = std::array<std::optional<std::string>, kColumns>;

    static std::optional<Column> column_of(std::string_view name);
    static std::vector<std::string> split(std::string_view line, char separator);
    static char separator_of(std::string_view heading);

    LineIs read_json(std::string_view line, LineEvent& first, LineEvent& second, bool& has_second);
    LineIs row(const Cells& cells, bool is_state_of_thread, LineEvent& first, LineEvent& second,
               bool& has_second) const;

    std::vector<std::optional<Column>> heading_;
    char separator_ = ',';
    bool has_states_ = false;  // rows of thread_state
    bool is_export_ = false;
};

}  // namespace sim::exchange
