#include "sim/trace_io/import/table_line_parser.h"

#include "sim/base/csv.h"
#include "sim/trace_io/import/event_arguments.h"
#include "sim/trace_io/import/scanning.h"

namespace sim::trace_io {
namespace {

constexpr std::string_view kHeading =
    "time_ns,cpu,event,pid,tgid,task,prio,state,other_pid,other_tgid,other,other_prio,interrupt,"
    "target_cpu,value,what";
constexpr std::size_t kTime = 0, kCpu = 1, kEvent = 2, kCurrent = 3, kState = 7, kThread = 8, kInterrupt = 12,
                      kTarget = 13, kValue = 14, kWhat = 15;

// Returns the original thread name of a table cell. Removes the apostrophes that the export has added so that
// a spreadsheet does not interpret the name as a formula.
std::string thread_name_of_cell(std::string_view cell) {
    std::string name(cell);
    if (cell.find('\'') == std::string_view::npos) return name;
    std::string plain;
    for (std::size_t at = 0; at < cell.size(); ++at)
        if (cell[at] != '\'' || (at > 0 && cell[at - 1] != ';')) plain += cell[at];
    return quote_untrusted_csv_cell(plain) == quote_csv_cell(name) ? plain : name;
}

// Reads the four columns of a thread.
bool read_thread_columns(const std::string_view* cells, ThreadFields& fields) {
    if (!parse_number(cells[0], fields.pid) || fields.pid < 0) return false;
    if (!parse_number(cells[1], fields.tgid) || !parse_number(cells[3], fields.prio)) return false;
    fields.name = thread_name_of_cell(cells[2]);
    return true;
}

bool parse_event_kind(std::string_view name, EventKind& kind) {
    for (int k = 0; k <= static_cast<int>(EventKind::queue_length); ++k) {
        kind = static_cast<EventKind>(k);
        if (name == to_string(kind)) return true;
    }
    kind = EventKind::recalculation;
    return name == "refill";  // "refill": name in earlier versions
}

bool parse_prev_state(std::string_view letter, PrevState& state) {
    for (int s = 0; s <= static_cast<int>(PrevState::dead); ++s) {
        state = static_cast<PrevState>(s);
        if (letter == prev_state_text(state)) return true;
    }
    return false;
}

}  // namespace

bool TableLineParser::is_heading(std::string_view line) { return line == kHeading; }

// Splits a row of the table into cells. Returns false if the number of cells is not kColumns, or if a quote
// is not closed.
bool TableLineParser::split_cells(std::string_view line) {
    for (std::size_t c = 0; c < kColumns; ++c) {
        const bool is_last = c + 1 == kColumns;
        if (!line.starts_with('"')) {
            const std::size_t end = line.find(',');
            if ((end == std::string_view::npos) != is_last) return false;
            cells_[c] = line.substr(0, end);
            line.remove_prefix(is_last ? line.size() : end + 1);
            continue;
        }
        std::string& text = unquoted_[c];
        text.clear();
        std::size_t at = 1;
        for (; at < line.size(); ++at) {
            if (line[at] == '"' && (at + 1 == line.size() || line[at + 1] != '"')) break;
            if (line[at] == '"') ++at;
            text += line[at];
        }
        if (at >= line.size()) return false;
        line.remove_prefix(at + 1);
        if (line.empty() != is_last || (!is_last && line.front() != ',')) return false;
        if (!is_last) line.remove_prefix(1);
        cells_[c] = text;
    }
    return true;
}

LineClass TableLineParser::read(std::string_view line, LineEvent& e) {
    if (line.empty() || is_heading(line)) return LineClass::header;
    if (!split_cells(line)) return LineClass::broken;
    if (!parse_number(cells_[kTime], e.time) || e.time < 0 || !parse_number(cells_[kCpu], e.cpu))
        return LineClass::broken;
    if (!parse_event_kind(cells_[kEvent], e.kind)) return LineClass::other;
    if (!read_thread_columns(&cells_[kCurrent], e.current)) return LineClass::broken_arguments;
    bool is_read = true;
    const auto need_thread = [&] { is_read = is_read && read_thread_columns(&cells_[kThread], e.thread); };
    switch (e.kind) {
        case EventKind::sched_switch:
            is_read = parse_prev_state(cells_[kState], e.state);
            need_thread();
            break;
        case EventKind::fork:
            need_thread();
            break;
        case EventKind::waking:
        case EventKind::wakeup:
        case EventKind::wakeup_new:
            e.interrupt = cells_[kInterrupt] == "yes" ? LineEvent::Interrupt::yes : LineEvent::Interrupt::no;
            is_read = parse_number(cells_[kTarget], e.target);
            need_thread();
            break;
        case EventKind::migrate:
            is_read = parse_number(cells_[kTarget], e.target) && parse_number(cells_[kValue], e.value);
            need_thread();
            break;
        case EventKind::recalculation:
        case EventKind::queue_length:
            is_read = parse_number(cells_[kValue], e.value);
            break;
        case EventKind::work_begin:
            e.what = known_kernel_work(cells_[kWhat]);
            if (e.what == nullptr) e.what = "work";
            break;
        case EventKind::exec:
        case EventKind::exit:
        case EventKind::yield:
        case EventKind::work_end:
            break;
    }
    return is_read ? LineClass::event : LineClass::broken_arguments;
}

}  // namespace sim::trace_io
