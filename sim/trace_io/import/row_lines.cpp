#include "sim/trace_io/import/row_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/join.h"
#include "sim/trace_io/import/event_arguments.h"
#include "sim/trace_io/import/scanning.h"

namespace sim::trace_io {
namespace {

using RowJson = nlohmann::json;

constexpr std::int64_t kMostRowNanos = 9'000'000'000'000'000'000;

// First pid of the threads that represent CPUs in exports of this program (chrome_writer.cpp). The pid of
// every task is lower.
constexpr std::int64_t kPidOfWork = 4'194'304;

// True for a cell without a value, in the notations of common table printers.
bool is_null(std::string_view cell) {
    return cell.empty() || cell == "NULL" || cell == "[NULL]" || cell == "null" || cell == "None";
}

// The text of a cell; std::nullopt for anything but a string, a boolean or a whole number.
std::optional<std::string> cell_text_of(const RowJson& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
    if (value.is_number_unsigned()) return fmt::to_string(value.get<std::uint64_t>());
    if (value.is_number_integer()) return fmt::to_string(value.get<std::int64_t>());
    if (value.is_number_float()) {
        const double number = value.get<double>();
        // If a column of whole numbers contains an empty cell, some libraries convert the whole column to
        // floating-point numbers.
        if (std::abs(number) < 9e15 && number == std::floor(number))
            return std::to_string(static_cast<std::int64_t>(number));
    }
    return std::nullopt;
}

// Converts microseconds, which are a number or a string, to nanoseconds.
bool take_micros(const RowJson& value, std::int64_t& nanos) {
    double micros = 0;
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        const RowJson number = RowJson::parse(text, nullptr, false);
        if (!number.is_number()) return false;
        micros = number.get<double>();
    } else if (value.is_number()) {
        micros = value.get<double>();
    } else {
        return false;
    }
    const double rounded = std::round(micros * 1000);
    if (!(std::abs(rounded) < 9e18)) return false;
    nanos = static_cast<std::int64_t>(rounded);
    return true;
}

// Reads "R", "R+", "S", "D", "D (IO)", "Running". Returns false for a text that is not a state.
bool take_row_state(std::string_view text, PrevState& state) {
    if (text.starts_with("Runnable") || text.starts_with("R")) {
        state = text.find('+') != std::string_view::npos || text.find("Preempted") != std::string_view::npos
                    ? PrevState::preempted
                    : PrevState::runnable;
        return true;
    }
    if (text.empty() || std::string_view("SDTtXxZPIKWN").find(text.front()) == std::string_view::npos)
        return false;
    state = text.front() == 'D'                                                 ? PrevState::disk
            : text.front() == 'X' || text.front() == 'x' || text.front() == 'Z' ? PrevState::dead
                                                                                : PrevState::sleeping;
    return true;
}

std::optional<std::string> cell_text_in(const RowJson& row, const char* key) {
    const auto at = row.find(key);
    return at == row.end() ? std::nullopt : cell_text_of(*at);
}

// The text of the value `key` in the row's object "args"; std::nullopt: there is none.
std::optional<std::string> argument_in(const RowJson& row, const char* key) {
    const auto args = row.find("args");
    if (args == row.end() || !args->is_object()) return std::nullopt;
    const auto at = args->find(key);
    return at == args->end() ? std::nullopt : cell_text_of(*at);
}

// Reads a metadata event ("ph": "M"), which may name a thread.
LineClass read_thread_name(const RowJson& row, bool is_export, LineEvent& first) {
    if (cell_text_in(row, "name") != "thread_name") return LineClass::header;
    const auto id = cell_text_in(row, "tid");
    const auto called = argument_in(row, "name");
    first.is = LineEvent::Type::rename;
    first.time = kNoTime;
    if (!id || !called || !parse_number(std::string_view(*id), first.thread.pid))
        return LineClass::broken_arguments;
    if (first.thread.pid < 0 || (is_export && first.thread.pid >= kPidOfWork)) return LineClass::header;
    first.thread.name = *called;
    first.thread.name_is_of_the_printer = true;
    return LineClass::event;
}

// Reads the start or the end of kernel work in an export of this program, except the time, which the caller
// reads.
LineClass read_kernel_work(const RowJson& row, bool begins, LineEvent& first) {
    const auto id = cell_text_in(row, "tid");
    std::int64_t thread = 0;
    if (!id || !parse_number(std::string_view(*id), thread) || thread < kPidOfWork ||
        thread - kPidOfWork >= std::int64_t{1} << 31)
        return LineClass::other;
    first.cpu = static_cast<CpuId>(thread - kPidOfWork);
    first.kind = begins ? EventKind::work_begin : EventKind::work_end;
    // At equal times, the ends of intervals come first, then other events, then the starts of intervals.
    first.rank = begins ? 1 : -1;
    const auto what = cell_text_in(row, "name");
    first.what = what ? known_kernel_work(*what) : nullptr;
    if (first.what == nullptr) first.what = "work";
    return LineClass::event;
}

}  // namespace

std::optional<RowLineParser::Column> RowLineParser::column_of(std::string_view column) {
    constexpr std::pair<std::string_view, Column> kNames[] = {{"ts", ts},
                                                              {"dur", dur},
                                                              {"cpu", cpu},
                                                              {"tid", tid},
                                                              {"name", name},
                                                              {"state", state},
                                                              {"end_state", state},
                                                              {"thread_name", name},
                                                              {"pid", pid},
                                                              {"priority", priority},
                                                              {"prio", priority},
                                                              {"waker_tid", waker_tid},
                                                              {"irq_context", irq_context}};
    for (const auto& [known, is] : kNames)
        if (column == known) return is;
    return std::nullopt;
}

char RowLineParser::separator_of(std::string_view heading) {
    for (const char separator : {'\t', '|'})
        if (heading.find(separator) != std::string_view::npos) return separator;
    return ',';
}

std::vector<std::string> RowLineParser::split(std::string_view line, char separator) {
    std::vector<std::string> cells(1);
    bool is_quoted = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (is_quoted && c == '"' && at + 1 < line.size() && line[at + 1] == '"')
            cells.back() += line[++at];
        else if (c == '"' && (is_quoted || cells.back().empty()))
            is_quoted = !is_quoted;
        else if (c == separator && !is_quoted)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

bool RowLineParser::is_heading(std::string_view line) {
    if (line.size() > 4096) return false;
    const std::vector<std::string> cells = split(line, separator_of(line));
    return std::find(cells.begin(), cells.end(), "ts") != cells.end() &&
           std::find(cells.begin(), cells.end(), "dur") != cells.end();
}

std::string RowLineParser::missing_columns(std::string_view heading) {
    const std::vector<std::string> cells = split(heading, separator_of(heading));
    std::vector<std::string> missing;
    const auto has = [&](std::string_view column) {
        return std::find(cells.begin(), cells.end(), column) != cells.end();
    };
    for (const char* column : {"ts", "dur", "cpu", "tid"})
        if (!has(column)) missing.emplace_back(column);
    if (!has("state") && !has("end_state")) missing.emplace_back("state or end_state");
    return join(missing, ", ");
}

LineClass RowLineParser::read_cells(const Cells& cells, bool is_state_of_thread, LineEvent& first,
                                    LineEvent& second, bool& has_second) const {
    const auto number = [&](Column column, auto& value) {
        return cells[column] && parse_number(std::string_view(*cells[column]), value);
    };
    const auto has_value = [&](Column column) { return cells[column] && !is_null(*cells[column]); };
    std::int64_t length = 0;
    if (!number(ts, first.time) || first.time < 0 || first.time > kMostRowNanos) return LineClass::broken;
    if (has_value(dur) && !number(dur, length)) return LineClass::broken;
    if (!number(tid, first.thread.pid) || first.thread.pid < 0) return LineClass::broken_arguments;
    if (has_value(pid) && !number(pid, first.thread.tgid)) return LineClass::broken_arguments;
    if (has_value(priority) && !number(priority, first.thread.prio)) return LineClass::broken_arguments;
    if (has_value(name)) first.thread.name = *cells[name];
    const std::string_view text = cells[state] ? std::string_view(*cells[state]) : std::string_view();
    const bool is_running = !is_state_of_thread || text == "Running";
    if (!is_running) {
        first.is = LineEvent::Type::thread_state;
        if (!take_row_state(text, first.state)) return LineClass::other;
        if (has_value(waker_tid) && !number(waker_tid, first.current.pid)) return LineClass::broken_arguments;
        first.interrupt = has_value(irq_context) ? *cells[irq_context] == "0" ? LineEvent::Interrupt::no
                                                                              : LineEvent::Interrupt::yes
                                                 : LineEvent::Interrupt::unknown;
        return LineClass::event;
    }
    if (!number(cpu, first.cpu)) return LineClass::broken_arguments;
    first.is = LineEvent::Type::slice_begin;
    // The length of an interval that is open at the end of the trace is missing or negative.
    if (has_value(dur) && length >= 0 && length <= kMostRowNanos - first.time) {
        second.is = LineEvent::Type::slice_end;
        second.time = first.time + length;
        second.cpu = first.cpu;
        second.thread.pid = first.thread.pid;
        second.state = PrevState::preempted;
        if (!is_state_of_thread && !is_null(text) && !take_row_state(text, second.state))
            second.state = PrevState::sleeping;
        has_second = true;
    }
    return LineClass::event;
}

LineClass RowLineParser::read_json(std::string_view line, LineEvent& first, LineEvent& second,
                                   bool& has_second) {
    constexpr int kDeepest = 64;
    const auto keep = [](int depth, RowJson::parse_event_t, RowJson&) { return depth <= kDeepest; };
    const RowJson row = RowJson::parse(line, keep, false);
    if (!row.is_object()) return LineClass::broken;
    Cells cells;
    const auto phase = row.find("ph");
    if (phase == row.end()) {
        bool is_state_of_thread = false;
        for (const auto& [key, value] : row.items())
            if (const auto column = column_of(key)) {
                cells[*column] = cell_text_of(value);
                is_state_of_thread |= key == "state";
            }
        if (!cells[ts]) return LineClass::other;
        return read_cells(cells, is_state_of_thread, first, second, has_second);
    }
    if (!phase->is_string()) return LineClass::broken;
    const auto& ph = phase->get_ref<const std::string&>();
    if (ph == "M") return read_thread_name(row, is_export_, first);
    const bool is_work = is_export_ && (ph == "B" || ph == "E");
    if (ph != "T" && !is_work) return is_export_ ? LineClass::header : LineClass::other;
    const auto at = row.find("ts");
    if (at == row.end() || !take_micros(*at, first.time) || first.time < 0) return LineClass::broken;
    if (is_work) return read_kernel_work(row, ph == "B", first);
    cells[ts] = std::to_string(first.time);
    std::int64_t length = 0;
    if (const auto span = row.find("dur"); span != row.end() && take_micros(*span, length))
        cells[dur] = std::to_string(length);
    cells[tid] = cell_text_in(row, "tid");
    cells[pid] = cell_text_in(row, "pid");
    cells[state] = cell_text_in(row, "name");
    cells[cpu] = argument_in(row, "cpu");
    return read_cells(cells, true, first, second, has_second);
}

LineClass RowLineParser::read(std::string_view line, LineEvent& first, LineEvent& second, bool& has_second) {
    has_second = false;
    if (line.find_first_not_of(" \t") == std::string_view::npos) return LineClass::header;
    if (line.front() == '{') return read_json(line, first, second, has_second);
    if (is_heading(line)) {
        separator_ = separator_of(line);
        heading_.clear();
        has_states_ = false;
        for (const std::string& cell : split(line, separator_)) {
            heading_.push_back(column_of(cell));
            has_states_ |= cell == "state";
        }
        return LineClass::header;
    }
    const std::vector<std::string> texts = split(line, separator_);
    if (texts.size() != heading_.size()) return LineClass::broken;
    Cells cells;
    for (std::size_t c = 0; c < texts.size(); ++c)
        if (heading_[c]) cells[*heading_[c]] = texts[c];
    return read_cells(cells, has_states_, first, second, has_second);
}

}  // namespace sim::trace_io
