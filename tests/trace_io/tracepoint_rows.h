// Emitted events and the records of a binary trace file, in a common form.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/sched_event.h"
#include "tests/trace_io/builtin_run.h"

namespace sim::tracepoint_rows {

using namespace trace_io;

// An event, from a sink or from a file.
struct Row {
    std::int64_t time = 0;
    std::string name;  // for example "sched/sched_switch"
    std::int64_t flags = 0, pid = 0;
    std::map<std::string, std::string> fields;

    bool operator==(const Row&) const = default;
};
using Rows = std::map<CpuId, std::vector<Row>>;

inline std::ostream& operator<<(std::ostream& stream, const Row& row) {
    stream << row.time << " " << row.name << " flags=" << row.flags << " pid=" << row.pid;
    for (const auto& [name, value] : row.fields) stream << " " << name << "=" << value;
    return stream;
}

// --- emitted events ---

// The name as it is written: at most 31 bytes, without an incomplete UTF-8 character.
inline std::string cut(std::string name) {
    if (name.size() < 32) return name;
    std::size_t end = 31;
    while ((name[end] & 0xc0) == 0x80) --end;
    return name.substr(0, end);
}

template <typename Value>
void add_field(Row& row, const char* name, const Value& value) {
    row.fields[name] = fmt::format("{}", value);
}

inline void add_thread(Row& row, const Thread& thread) {
    add_field(row, "comm", cut(thread.name));
    add_field(row, "pid", thread.pid);
    add_field(row, "prio", thread.prio);
}

inline void add_switch(Row& row, const SchedEvent& e, const Threads& threads) {
    constexpr int kStates[] = {0, 0x100, 1, 2, 0x10};
    if (e.state == PrevState::preempted) row.flags |= 0x24;
    add_field(row, "prev_comm", cut(comm(e.current, threads, e.cpu)));
    add_field(row, "prev_pid", threads[e.current].pid);
    add_field(row, "prev_prio", threads[e.current].prio);
    add_field(row, "prev_state", kStates[static_cast<int>(e.state)]);
    add_field(row, "next_comm", cut(comm(e.thread, threads, e.cpu)));
    add_field(row, "next_pid", threads[e.thread].pid);
    add_field(row, "next_prio", threads[e.thread].prio);
}

// Adds the fields of the event to the row. Adds none for kernel work: the row of its end needs the text of
// its start, which the caller keeps.
inline void add_fields(Row& row, const SchedEvent& e, const Threads& threads) {
    const Thread &current = threads[e.current], &thread = threads[e.thread];
    switch (e.kind) {
        case EventKind::sched_switch:
            add_switch(row, e, threads);
            break;
        case EventKind::waking:
        case EventKind::wakeup:
        case EventKind::wakeup_new:
            add_thread(row, thread);
            add_field(row, "target_cpu", e.target);
            break;
        case EventKind::migrate:
            add_thread(row, thread);
            add_field(row, "orig_cpu", e.value);
            add_field(row, "dest_cpu", e.target);
            break;
        case EventKind::fork:
            add_field(row, "parent_comm", cut(current.name));
            add_field(row, "parent_pid", current.pid);
            add_field(row, "child_comm", cut(thread.name));
            add_field(row, "child_pid", thread.pid);
            break;
        case EventKind::exec:
            add_field(row, "filename", cut(current.name));
            add_field(row, "pid", current.pid);
            add_field(row, "old_pid", current.pid);
            break;
        case EventKind::exit:
            add_thread(row, current);
            break;
        case EventKind::yield:
            add_field(row, "pid", current.pid);
            break;
        case EventKind::recalculation:
            add_field(row, "counters", e.value);
            break;
        case EventKind::queue_length:
            add_field(row, "tasks", e.value);
            break;
        case EventKind::work_begin:
        case EventKind::work_end:
            break;
    }
}

// Forwards all events and records the rows that the file should contain.
class ForwardingSink final : public EventSink {
  public:
    explicit ForwardingSink(EventSink& to) : to_(to) {}

    void begin(const RunInfo& info) override {
        run = to_json(info);
        to_.begin(info);
    }
    void event(const SchedEvent& e, const Threads& threads) override {
        to_.event(e, threads);
        const Thread &current = threads[e.current], &thread = threads[e.thread];
        for (const Thread* met : {&current, &thread})
            if (met->pid != 0) names[met->pid] = met->name;
        const bool is_linux = e.kind < EventKind::yield;
        Row row{.time = std::max<std::int64_t>(e.time.count(), 1),
                .name = fmt::format("{}/{}", is_linux ? "sched" : "switchyard", to_string(e.kind)),
                .flags = e.in_interrupt ? 0x09 : 0x01,
                .pid = current.pid,
                .fields = {}};
        add_fields(row, e, threads);
        if (e.kind == EventKind::work_begin) {
            work_[e.cpu].push_back(e.what);
            add_field(row, "what", e.what);
        }
        if (e.kind == EventKind::work_end) {
            add_field(row, "what", work_[e.cpu].back());
            work_[e.cpu].pop_back();
        }
        rows[e.cpu].push_back(row);
    }
    void end(Nanos now) override { to_.end(now); }

    Rows rows;
    std::map<std::int64_t, std::string> names;
    std::string run;

  private:
    EventSink& to_;
    std::map<CpuId, std::vector<std::string>> work_;
};

// --- contents of the file ---

class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

    std::size_t left() const { return bytes_.size(); }
    std::string_view take(std::size_t count) {
        if (count > bytes_.size()) throw std::runtime_error("the file ends too early");
        const std::string_view taken = bytes_.substr(0, count);
        bytes_.remove_prefix(count);
        return taken;
    }
    std::uint64_t number(std::size_t size) {
        std::uint64_t number = 0;
        const std::string_view bytes = take(size);
        for (std::size_t i = 0; i < size; ++i)
            number |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
        return number;
    }
    // A NUL-terminated string.
    std::string word() {
        const std::string word(bytes_.substr(0, bytes_.find('\0')));
        take(word.size() + 1);
        return word;
    }
    void expect(std::string_view bytes) {
        if (take(bytes.size()) != bytes) throw std::runtime_error("not there: " + std::string(bytes));
    }

  private:
    std::string_view bytes_;
};

struct Field {
    std::string name;
    std::size_t offset = 0, size = 0;
    bool is_signed = false, is_text = false;
};
struct Format {
    std::string name;
    std::vector<Field> fields;
};

inline std::size_t number_after(const std::string& line, const std::string& word) {
    std::size_t number = 0;
    const std::size_t at = line.find(word) + word.size();
    std::from_chars(line.data() + at, line.data() + line.size(), number);
    return number;
}

// The section that describes the records: from the magic number to the formats of printk.
class RecordFormats {
  public:
    void read(Bytes& in, const std::string& version) {
        EXPECT_EQ(in.word(), "\x17\x08\x44" + version);
        EXPECT_EQ(in.number(1), 0u) << "little-endian";
        EXPECT_EQ(in.number(1), 8u) << "long";
        EXPECT_EQ(in.number(4), kPage);
        EXPECT_EQ(in.word(), "header_page");
        EXPECT_NE(in.take(in.number(8)).find("u64 timestamp;\toffset:0;\tsize:8;"), std::string::npos);
        EXPECT_EQ(in.word(), "header_event");
        in.take(in.number(8));
        EXPECT_EQ(in.number(4), 0u) << "events of ftrace";
        for (auto systems = in.number(4); systems > 0; --systems) {
            const std::string system = in.word();
            for (auto events = in.number(4); events > 0; --events)
                read_format(system, std::string(in.take(in.number(8))));
        }
        in.take(in.number(4));
        in.take(in.number(4));
    }

    // Size of the record without padding that may follow.
    std::size_t size_of(std::string_view record) const {
        const Field& last = format_of(record).fields.back();
        return last.offset + last.size;
    }
    Row row(std::int64_t time, std::string_view record) const {
        const Format& format = format_of(record);
        Row row{.time = time, .name = format.name, .fields = {}};
        for (const Field& field : format.fields) {
            Bytes at(record.substr(field.offset, field.size));
            if (field.is_text) {
                row.fields[field.name] = at.word();
                continue;
            }
            const int unused = static_cast<int>(64 - 8 * field.size);
            const auto bits = at.number(field.size) << unused;
            const auto value = field.is_signed ? static_cast<std::int64_t>(bits) >> unused
                                               : static_cast<std::int64_t>(bits >> unused);
            if (field.name == "common_flags")
                row.flags = value;
            else if (field.name == "common_pid")
                row.pid = value;
            else if (!field.name.starts_with("common_"))
                row.fields[field.name] = std::to_string(value);
        }
        return row;
    }

  private:
    const Format& format_of(std::string_view record) const { return formats_.at(Bytes(record).number(2)); }

    void read_format(const std::string& system, const std::string& text) {
        Format format;
        std::istringstream lines(text);
        std::size_t id = 0, end = 0;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("name: ")) format.name = system + "/" + line.substr(6);
            if (line.starts_with("ID: ")) id = number_after(line, "ID: ");
            if (!line.starts_with("\tfield:")) continue;
            Field field{.name = {},
                        .offset = number_after(line, "\toffset:"),
                        .size = number_after(line, "\tsize:"),
                        .is_signed = number_after(line, "\tsigned:") == 1,
                        .is_text = line.find('[') < line.find(';')};
            const std::size_t name_end = line.find_first_of("[;");
            const std::size_t name = line.rfind(' ', name_end) + 1;
            field.name = line.substr(name, name_end - name);
            if (field.is_text) {
                EXPECT_EQ(number_after(line, "["), field.size) << line;
            } else {
                EXPECT_EQ(field.offset % field.size, 0u) << line;
            }
            EXPECT_EQ(field.offset, end) << line;
            end = field.offset + field.size;
            format.fields.push_back(field);
        }
        EXPECT_NE(text.find("\nprint fmt: \""), std::string::npos) << text;
        EXPECT_TRUE(formats_.emplace(id, format).second) << text;
    }

    static constexpr std::size_t kPage = 4096;
    std::map<std::uint64_t, Format> formats_;
};

// The file of a run, and the rows that it should contain.
struct WrittenFile {
    std::string bytes;
    Rows rows;
};

// Writes a run in `format`, parses the file as File and compares both with expect_same(File, ForwardingSink).
template <class File>
WrittenFile write_run(const trace_io::ExportFormat& format, const std::string& name, const Limits& limits) {
    WrittenFile written;
    const auto writer = format.make([&](std::string_view bytes) { written.bytes += bytes; });
    ForwardingSink emitted(*writer);
    builtin_run::BuiltinRun run(name);
    run.info.title = name;
    run.emit(limits, emitted);
    const File file(written.bytes);
    EXPECT_EQ(file.cpus, run.scenario.cpus);
    expect_same(file, emitted);
    written.rows = emitted.rows;
    return written;
}

// Events made by hand, and the file that a writer makes of them.
template <class File>
class HandmadeRun : public testing::Test {
  protected:
    // `tgid_of_b`: the process of the second thread.
    HandmadeRun(const trace_io::ExportFormat& format, std::int32_t tgid_of_b)
        : writer_(format.make([this](std::string_view bytes) { bytes_ += bytes; })), emitted(*writer_) {
        threads.resize(3);
        threads[kIdleThread] = {.pid = 0, .tgid = 0, .name = "swapper", .prio = 120, .is_kernel = true};
        threads[1] = {.pid = 11, .tgid = 11, .name = "A"};
        threads[2] = {.pid = 12, .tgid = tgid_of_b, .name = "B"};
    }

    void yield(std::int64_t time, CpuId cpu = 0, ThreadId of = 1) {
        emitted.event({.time = Nanos{time}, .kind = EventKind::yield, .cpu = cpu, .current = of}, threads);
    }
    // Ends the run, parses its file, and expects that the file contains the same rows.
    File file() {
        emitted.end(Nanos{});
        File file(bytes_);
        expect_same(file, emitted);
        return file;
    }

    void expect_empty_run_has_only_header() {
        emitted.begin({.title = "nothing", .cpus = 2});
        const File nothing = file();
        EXPECT_EQ(nothing.cpus, 2u);
        EXPECT_TRUE(nothing.rows.empty());
    }
    void expect_undeclared_cpus_are_counted() {
        emitted.begin({.title = "recorded", .cpus = 0});
        yield(1, 5);
        EXPECT_EQ(file().cpus, 6u);
    }

    Threads threads;

  private:
    std::string bytes_;
    std::unique_ptr<EventSink> writer_;

  protected:
    ForwardingSink emitted;
};

// Start of the line that trace-cmd and perf print for a row: "[001] 0.000000100 sched/sched_switch ".
inline std::string line_head(CpuId cpu, const Row& row) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    return fmt::format("[{:03}] {}.{:09} {} ", cpu, row.time / kSecond, row.time % kSecond, row.name);
}

}  // namespace sim::tracepoint_rows
