// Files of trace-cmd, read by what is written here from its manual page: all that was told is in them.
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

#include "sim/core/engine.h"
#include "sim/exchange/formats.h"
#include "sim/exchange/run_events.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_name.h"

namespace sim {
namespace trace_dat_writer_test {

using namespace exchange;

// An event, of a sink or of a file.
struct Row {
    std::int64_t time = 0;
    std::string name;  // "sched/sched_switch"
    std::int64_t flags = 0, pid = 0;
    std::map<std::string, std::string> fields;

    bool operator==(const Row&) const = default;
};
using Rows = std::map<CpuId, std::vector<Row>>;

std::ostream& operator<<(std::ostream& stream, const Row& row) {
    stream << row.time << " " << row.name << " flags=" << row.flags << " pid=" << row.pid;
    for (const auto& [name, value] : row.fields) stream << " " << name << "=" << value;
    return stream;
}

// --- what is told ---

// A name of the file: the first 31 bytes, none of them the beginning of a character that does not fit.
std::string cut(std::string name) {
    if (name.size() < 32) return name;
    std::size_t end = 31;
    while ((name[end] & 0xc0) == 0x80) --end;
    return name.substr(0, end);
}

// Hands on what it is told, and remembers it as the file should tell it.
class Teller final : public EventSink {
  public:
    explicit Teller(EventSink& to) : to_(to) {}

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
        const auto add = [&](const char* name, const auto& value) {
            row.fields[name] = fmt::format("{}", value);
        };
        const auto add_thread = [&](const Thread& t) {
            add("comm", cut(t.name));
            add("pid", t.pid);
            add("prio", t.prio);
        };
        switch (e.kind) {
            case EventKind::sched_switch: {
                constexpr int kStates[] = {0, 0x100, 1, 2, 0x10};
                if (e.state == PrevState::preempted) row.flags |= 0x24;
                add("prev_comm", cut(comm(e.current, threads, e.cpu)));
                add("prev_pid", current.pid);
                add("prev_prio", current.prio);
                add("prev_state", kStates[static_cast<int>(e.state)]);
                add("next_comm", cut(comm(e.thread, threads, e.cpu)));
                add("next_pid", thread.pid);
                add("next_prio", thread.prio);
                break;
            }
            case EventKind::waking:
            case EventKind::wakeup:
            case EventKind::wakeup_new:
                add_thread(thread);
                add("target_cpu", e.target);
                break;
            case EventKind::migrate:
                add_thread(thread);
                add("orig_cpu", e.value);
                add("dest_cpu", e.target);
                break;
            case EventKind::fork:
                add("parent_comm", cut(current.name));
                add("parent_pid", current.pid);
                add("child_comm", cut(thread.name));
                add("child_pid", thread.pid);
                break;
            case EventKind::exec:
                add("filename", cut(current.name));
                add("pid", current.pid);
                add("old_pid", current.pid);
                break;
            case EventKind::exit:
                add_thread(current);
                break;
            case EventKind::yield:
                add("pid", current.pid);
                break;
            case EventKind::refill:
                add("counters", e.value);
                break;
            case EventKind::queue_length:
                add("tasks", e.value);
                break;
            case EventKind::work_begin:
                work_[e.cpu].push_back(e.what);
                add("what", e.what);
                break;
            case EventKind::work_end:
                add("what", work_[e.cpu].back());
                work_[e.cpu].pop_back();
                break;
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

// --- what the file says ---

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
    std::string word() {  // up to a 0
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

std::size_t number_after(const std::string& line, const std::string& word) {
    std::size_t number = 0;
    const std::size_t at = line.find(word) + word.size();
    std::from_chars(line.data() + at, line.data() + line.size(), number);
    return number;
}

class File {
  public:
    explicit File(std::string bytes) : bytes_(std::move(bytes)) {
        Bytes in(bytes_);
        in.expect("\x17\x08\x44tracing");
        EXPECT_EQ(in.word(), "6");
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
        std::istringstream lines{std::string(in.take(in.number(8)))};
        for (std::string line; std::getline(lines, line);) {
            const std::size_t blank = line.find(' ');
            EXPECT_TRUE(names.emplace(std::stoll(line), line.substr(blank + 1)).second) << line << ", twice";
        }
        cpus = static_cast<CpuId>(in.number(4));
        EXPECT_EQ(in.word(), "options  ");
        while (const auto option = in.number(2)) {
            Bytes text(in.take(in.number(4)));
            options[option] = text.word();
        }
        EXPECT_EQ(in.word(), "flyrecord");
        std::size_t end = bytes_.size() - in.left() + 16 * cpus;
        for (CpuId cpu = 0; cpu < cpus; ++cpu) {
            const auto offset = in.number(8), size = in.number(8);
            EXPECT_EQ(offset % kPage, 0u);
            EXPECT_EQ(size % kPage, 0u);
            EXPECT_GE(offset, end);
            end = offset + size;
            for (std::size_t at = offset; at < end; at += kPage)
                read_page(cpu, std::string_view(bytes_).substr(at, kPage));
        }
        EXPECT_EQ(end, bytes_.size());
    }

    CpuId cpus = 0;
    Rows rows;
    std::map<std::int64_t, std::string> names;
    std::map<std::uint64_t, std::string> options;
    std::map<CpuId, std::vector<std::size_t>> filled;  // bytes of each page

  private:
    static constexpr std::size_t kPage = 4096;

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

    void read_page(CpuId cpu, std::string_view page) {
        Bytes header(page);
        auto time = static_cast<std::int64_t>(header.number(8));
        const std::size_t filled_to = header.number(8);
        filled[cpu].push_back(filled_to);
        EXPECT_GT(filled_to, 0u);
        Bytes in(page.substr(16).substr(0, filled_to));
        bool is_extended = false;
        while (in.left() > 0) {
            const auto word = in.number(4);
            const auto kind = word & 31;
            time += static_cast<std::int64_t>(word >> 5);
            is_extended = kind == 30;
            if (is_extended) {
                time += static_cast<std::int64_t>(in.number(4) << 27);
                continue;
            }
            ASSERT_GE(kind, 1u);
            ASSERT_LE(kind, 28u);
            read_record(cpu, time, in.take(4 * kind));
        }
        EXPECT_FALSE(is_extended) << "nothing comes after it";
    }

    void read_record(CpuId cpu, std::int64_t time, std::string_view record) {
        Bytes type(record);
        const Format& format = formats_.at(type.number(2));
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
        EXPECT_EQ(record.size(), format.fields.back().offset + format.fields.back().size);
        rows[cpu].push_back(row);
    }

    std::string bytes_;
    std::map<std::uint64_t, Format> formats_;
};

void expect_same(const File& file, const Teller& told) {
    EXPECT_EQ(file.names, told.names);
    EXPECT_EQ(file.options, (std::map<std::uint64_t, std::string>{{5, told.run}}));
    for (CpuId cpu = 0; cpu < file.cpus; ++cpu) {
        const auto at = told.rows.find(cpu);
        const std::vector<Row> expected = at == told.rows.end() ? std::vector<Row>() : at->second;
        const auto found = file.rows.find(cpu);
        const std::vector<Row> actual = found == file.rows.end() ? std::vector<Row>() : found->second;
        ASSERT_EQ(actual.size(), expected.size()) << "CPU " << cpu;
        for (std::size_t i = 0; i < actual.size(); ++i) ASSERT_EQ(actual[i], expected[i]) << "CPU " << cpu;
    }
    for (const auto& [cpu, rows] : told.rows) EXPECT_LT(cpu, file.cpus);
}

// The file of a run, and what was told of it.
struct Written {
    std::string bytes;
    Rows rows;
};

Written write_run(const std::string& name, const Limits& bounds) {
    Written written;
    const auto writer = trace_dat_format().make([&](std::string_view bytes) { written.bytes += bytes; });
    Teller teller(*writer);
    const Scenario scenario = load_scenario(name);
    const NamedPolicy policy = make_policy(scenario.policy, scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Trace trace;
    RunEvents events(scenario, m, {.title = name, .cpus = scenario.cpus, .policy = policy.name}, teller);
    Limits limits = bounds;
    limits.until = scenario.until.value_or(kHorizon);
    engine.run(m, limits, {.trace = &trace});
    for (const TraceRecord& record : trace.records) events.follow(record);
    events.finish(m.globals().now);
    const File file(written.bytes);
    EXPECT_EQ(file.cpus, scenario.cpus);
    expect_same(file, teller);
    written.rows = teller.rows;
    return written;
}

class TraceDatOf : public testing::TestWithParam<std::string> {};

TEST_P(TraceDatOf, HasAllThatWasTold) { write_run(GetParam(), {.switches = 400, .events = 8'000}); }

INSTANTIATE_TEST_SUITE_P(Gallery, TraceDatOf, testing::ValuesIn(builtin_names("")), name_of_parameter);

// --- events of nobody's run ---

class TraceDat : public testing::Test {
  protected:
    TraceDat()
        : writer_(trace_dat_format().make([this](std::string_view bytes) { bytes_ += bytes; })),
          teller(*writer_) {
        threads.resize(3);
        threads[kIdleThread] = {.pid = 0, .tgid = 0, .name = "swapper", .prio = 120, .is_kernel = true};
        threads[1] = {.pid = 11, .tgid = 11, .name = "A"};
        threads[2] = {.pid = 12, .tgid = 12, .name = "B"};
    }

    void yield(std::int64_t time, CpuId cpu = 0, ThreadId of = 1) {
        teller.event({.time = Nanos{time}, .kind = EventKind::yield, .cpu = cpu, .current = of}, threads);
    }
    File file() {
        teller.end(Nanos{});
        File file(bytes_);
        expect_same(file, teller);
        return file;
    }

    Threads threads;

  private:
    std::string bytes_;
    std::unique_ptr<EventSink> writer_;

  protected:
    Teller teller;
};

constexpr std::int64_t kHour = 3'600'000'000'000;
constexpr std::size_t kRecord = 16, kExtend = 8, kRoom = 4080;  // of a yield; of a long time; of a page

TEST_F(TraceDat, WithoutEventsIsAHeader) {
    teller.begin({.title = "nothing", .cpus = 2});
    const File nothing = file();
    EXPECT_EQ(nothing.cpus, 2u);
    EXPECT_TRUE(nothing.rows.empty());
}

TEST_F(TraceDat, EventsAreHoursApart) {
    teller.begin({.title = "hours"});
    for (int i = 1; i <= 600; ++i) yield(i * kHour);
    EXPECT_EQ(file().filled.at(0).front(), kRecord + 169 * (kRecord + kExtend)) << "one more does not fit";
}

TEST_F(TraceDat, TimesThatJustFitAndThoseThatDoNot) {
    teller.begin({.title = "limits"});
    std::int64_t time = 5;
    for (const int bits : {5, 27, 32, 59, 62})
        for (const int more : {-1, 0, 1}) {
            time = bits < 62 ? time + (std::int64_t{1} << bits) + more : (std::int64_t{1} << 62) + 1 + more;
            yield(time);
        }
    EXPECT_GT(file().filled.at(0).size(), 1u) << "what 59 bits do not hold begins a page";
}

TEST_F(TraceDat, ThousandsAtOneInstantStayInOrder) {
    teller.begin({.title = "dense", .cpus = 1});
    for (int i = 0; i < 20'000; ++i)
        teller.event({.time = Nanos{7}, .kind = EventKind::queue_length, .value = i}, threads);
    file();
}

TEST_F(TraceDat, APageIsFilledToItsLastByte) {
    teller.begin({.title = "full"});
    constexpr int kFull = kRoom / kRecord;
    for (int i = 1; i <= kFull; ++i) yield(i);
    yield(kFull);
    EXPECT_EQ(file().filled.at(0), (std::vector<std::size_t>{kRoom, kRecord}));
}

TEST_F(TraceDat, ALongTimeGoesWithItsRecord) {
    teller.begin({.title = "full", .cpus = 2});
    constexpr int kFull = kRoom / kRecord;
    for (int i = 1; i < kFull; ++i) yield(i);
    yield(kHour);  // a record has room, and what says how long not
    yield(1, 1);
    for (int i = 2; i < kFull; ++i) yield(i == 2 ? kHour : kHour + i, 1);
    const auto filled = file().filled;
    EXPECT_EQ(filled.at(0), (std::vector<std::size_t>{kRoom - kRecord, kRecord}));
    EXPECT_EQ(filled.at(1), (std::vector<std::size_t>{kRoom - kRecord + kExtend}));
}

TEST_F(TraceDat, SixtyFourCpusOfWhichSomeAreEmpty) {
    teller.begin({.title = "many", .cpus = 64});
    for (int i = 0; i < 100'000; ++i) {
        const CpuId cpu = static_cast<CpuId>(i) * 7 % 64;
        if (cpu % 3 != 0) yield(1 + i * 1000, cpu, 1 + static_cast<ThreadId>(i % 2));
    }
    const File many = file();
    EXPECT_EQ(many.cpus, 64u);
    EXPECT_EQ(many.rows.count(0), 0u);
    EXPECT_EQ(many.rows.count(63), 0u);
}

TEST_F(TraceDat, CpusThatWereNotSaidAreThere) {
    teller.begin({.title = "recorded", .cpus = 0});
    yield(1, 5);
    EXPECT_EQ(file().cpus, 6u);
}

// Readers take a time of 0 for none.
TEST_F(TraceDat, WhatHappensAt0StandsOneNanosecondLater) {
    teller.begin({.title = "zero"});
    yield(0);
    yield(1);
    const File zero = file();
    EXPECT_EQ(zero.rows.at(0)[0].time, 1);
    EXPECT_EQ(zero.rows.at(0)[1].time, 1);
}

TEST_F(TraceDat, LongNamesAreCutInEventsAndNotInTheList) {
    teller.begin({.title = "names"});
    const std::string thirty(30, 'x');
    threads[1].name = thirty + "yz";
    threads[2].name = thirty + "\u00e9";
    teller.event({.time = Nanos{1}, .kind = EventKind::sched_switch, .current = 1, .thread = 2}, threads);
    const File names = file();
    const auto& fields = names.rows.at(0)[0].fields;
    EXPECT_EQ(fields.at("prev_comm"), thirty + "y");
    EXPECT_EQ(fields.at("next_comm"), thirty) << "half of a character is none";
    EXPECT_EQ(names.names.at(11), threads[1].name);
}

TEST_F(TraceDat, NamesAreTheLastOnesAndThoseOfAllWhoWereThere) {
    teller.begin({.title = "exec"});
    yield(1);
    threads[1].name = "C";
    teller.event({.time = Nanos{2}, .kind = EventKind::exec, .current = 1}, threads);
    for (int pid = 100; pid < 20'000; ++pid) {  // each in the place of the one before
        threads[2] = {.pid = pid, .tgid = pid, .name = fmt::format("task.{}", pid)};
        teller.event({.time = Nanos{pid}, .kind = EventKind::fork, .current = 1, .thread = 2}, threads);
    }
    const File exec = file();
    EXPECT_EQ(exec.names.at(11), "C");
    EXPECT_EQ(exec.names.at(100), "task.100");
    EXPECT_EQ(exec.names.at(19'999), "task.19999");
}

// --- trace-cmd itself ---

constexpr int kNotInstalled = 77;

TEST(TraceCmd, ReadsEachSwitchAndWakeUp) {
    const ScratchFolder folder;
    for (const char* name : {"php-fpm", "create-process", "yield-processes"}) {
        const Written written = write_run(name, {.switches = 3000});
        folder.write("trace.dat", written.bytes);
        const Finished report = run_program(
            {"/bin/sh", "-c",
             fmt::format("command -v trace-cmd >/dev/null || exit {}; trace-cmd report -N -t trace.dat",
                         kNotInstalled)},
            {folder.path(), "", {}});
        if (report.exit_code == kNotInstalled) GTEST_SKIP() << "there is no trace-cmd here";
        ASSERT_EQ(report.exit_code, 0) << report;
        std::map<std::string, int> expected, found;
        constexpr std::int64_t kSecond = 1'000'000'000;
        for (const auto& [cpu, rows] : written.rows)
            for (const Row& row : rows) {
                const std::string head = fmt::format("[{:03}] {}.{:09} {} ", cpu, row.time / kSecond,
                                                     row.time % kSecond, row.name);
                const auto& f = row.fields;
                const std::map<std::string, std::string> letters{
                    {"0", "R"}, {"256", "R+"}, {"1", "S"}, {"2", "D"}, {"16", "X"}};
                if (row.name == "sched/sched_switch")
                    ++expected[head + fmt::format("prev_comm={} prev_pid={} prev_prio={} prev_state={} ==> "
                                                  "next_comm={} next_pid={} next_prio={}",
                                                  f.at("prev_comm"), f.at("prev_pid"), f.at("prev_prio"),
                                                  letters.at(f.at("prev_state")), f.at("next_comm"),
                                                  f.at("next_pid"), f.at("next_prio"))];
                else if (f.contains("target_cpu"))
                    ++expected[head + fmt::format("comm={} pid={} prio={} target_cpu={:0>3}", f.at("comm"),
                                                  f.at("pid"), f.at("prio"), f.at("target_cpu"))];
                else
                    ++expected["others"];
            }
        std::istringstream lines(report.out);
        std::string line;
        std::getline(lines, line);
        EXPECT_TRUE(line.starts_with("cpus=")) << line;
        while (std::getline(lines, line)) {
            std::istringstream words(line.substr(line.find('[')));
            std::string cpu, time, event, rest;
            words >> cpu >> time >> event >> std::ws;
            std::getline(words, rest);
            time.pop_back();
            event.pop_back();
            const bool is_compared = event == "sched_switch" || event.starts_with("sched_wak");
            ++found[is_compared ? fmt::format("{} {} sched/{} {}", cpu, time, event, rest) : "others"];
        }
        EXPECT_EQ(found, expected) << name;
    }
}

}  // namespace trace_dat_writer_test
}  // namespace sim
