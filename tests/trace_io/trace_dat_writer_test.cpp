// Parses trace.dat files with a reader written here from the manual page: all emitted events are in them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/trace_io/export/export_formats.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_name.h"
#include "tests/trace_io/installed_tool.h"
#include "tests/trace_io/tracepoint_rows.h"

namespace sim {
namespace trace_dat_writer_test {

using namespace trace_io;
using namespace tracepoint_rows;
using installed_tool::kNotInstalled;
using installed_tool::run_tool;

class File {
  public:
    explicit File(std::string bytes) : bytes_(std::move(bytes)) {
        Bytes in(bytes_);
        formats_.read(in, "tracing6");
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
    std::map<CpuId, std::vector<std::size_t>> filled;  // bytes used in each page

  private:
    static constexpr std::size_t kPage = 4096;

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
            const std::string_view record = in.take(4 * kind);
            EXPECT_EQ(record.size(), formats_.size_of(record));
            rows[cpu].push_back(formats_.row(time, record));
        }
        EXPECT_FALSE(is_extended) << "nothing comes after it";
    }

    std::string bytes_;
    RecordFormats formats_;
};

void expect_same(const File& file, const ForwardingSink& emitted) {
    EXPECT_EQ(file.names, emitted.names);
    EXPECT_EQ(file.options, (std::map<std::uint64_t, std::string>{{5, emitted.run}}));
    for (CpuId cpu = 0; cpu < file.cpus; ++cpu) {
        const auto at = emitted.rows.find(cpu);
        const std::vector<Row> expected = at == emitted.rows.end() ? std::vector<Row>() : at->second;
        const auto found = file.rows.find(cpu);
        const std::vector<Row> actual = found == file.rows.end() ? std::vector<Row>() : found->second;
        ASSERT_EQ(actual.size(), expected.size()) << "CPU " << cpu;
        for (std::size_t i = 0; i < actual.size(); ++i) ASSERT_EQ(actual[i], expected[i]) << "CPU " << cpu;
    }
    for (const auto& [cpu, rows] : emitted.rows) EXPECT_LT(cpu, file.cpus);
}

class TraceDatOf : public testing::TestWithParam<std::string> {};

TEST_P(TraceDatOf, HasEveryEmittedEvent) {
    write_run<File>(trace_dat_format(), GetParam(), {.switches = 400, .events = 8'000});
}

INSTANTIATE_TEST_SUITE_P(Gallery, TraceDatOf, testing::ValuesIn(builtin_file_names("")), name_of_parameter);

// --- handmade events ---

class TraceDat : public HandmadeRun<File> {
  protected:
    TraceDat() : HandmadeRun(trace_dat_format(), 12) {}
};

constexpr std::int64_t kHour = 3'600'000'000'000;
// Sizes in bytes: a yield record, a time extension, and the data of a page.
constexpr std::size_t kRecord = 16, kExtend = 8, kRoom = 4080;

TEST_F(TraceDat, EmptyRunHasOnlyHeader) { expect_empty_run_has_only_header(); }

TEST_F(TraceDat, EventsHoursApartUseTimeExtensions) {
    emitted.begin({.title = "hours"});
    for (int i = 1; i <= 600; ++i) yield(i * kHour);
    EXPECT_EQ(file().filled.at(0).front(), kRecord + 169 * (kRecord + kExtend)) << "one more does not fit";
}

TEST_F(TraceDat, TimeGapsAtFieldLimitsAreExact) {
    emitted.begin({.title = "limits"});
    std::int64_t time = 5;
    for (const int bits : {5, 27, 32, 59, 62})
        for (const int more : {-1, 0, 1}) {
            time = bits < 62 ? time + (std::int64_t{1} << bits) + more : (std::int64_t{1} << 62) + 1 + more;
            yield(time);
        }
    EXPECT_GT(file().filled.at(0).size(), 1u) << "what 59 bits do not hold begins a page";
}

TEST_F(TraceDat, SimultaneousEventsStayInOrder) {
    emitted.begin({.title = "dense", .cpus = 1});
    for (int i = 0; i < 20'000; ++i)
        emitted.event({.time = Nanos{7}, .kind = EventKind::queue_length, .value = i}, threads);
    file();
}

TEST_F(TraceDat, PageIsFilledToLastByte) {
    emitted.begin({.title = "full"});
    constexpr int kFull = kRoom / kRecord;
    for (int i = 1; i <= kFull; ++i) yield(i);
    yield(kFull);
    EXPECT_EQ(file().filled.at(0), (std::vector<std::size_t>{kRoom, kRecord}));
}

TEST_F(TraceDat, TimeExtensionStaysWithRecord) {
    emitted.begin({.title = "full", .cpus = 2});
    constexpr int kFull = kRoom / kRecord;
    for (int i = 1; i < kFull; ++i) yield(i);
    yield(kHour);  // the record would fit, but not with its time extension
    yield(1, 1);
    for (int i = 2; i < kFull; ++i) yield(i == 2 ? kHour : kHour + i, 1);
    const auto filled = file().filled;
    EXPECT_EQ(filled.at(0), (std::vector<std::size_t>{kRoom - kRecord, kRecord}));
    EXPECT_EQ(filled.at(1), (std::vector<std::size_t>{kRoom - kRecord + kExtend}));
}

TEST_F(TraceDat, EmptyCpusAmong64HaveNoRows) {
    emitted.begin({.title = "many", .cpus = 64});
    for (int i = 0; i < 100'000; ++i) {
        const CpuId cpu = static_cast<CpuId>(i) * 7 % 64;
        if (cpu % 3 != 0) yield(1 + i * 1000, cpu, 1 + static_cast<ThreadId>(i % 2));
    }
    const File many = file();
    EXPECT_EQ(many.cpus, 64u);
    EXPECT_EQ(many.rows.count(0), 0u);
    EXPECT_EQ(many.rows.count(63), 0u);
}

TEST_F(TraceDat, UndeclaredCpusAreCounted) { expect_undeclared_cpus_are_counted(); }

// Readers treat time 0 as missing.
TEST_F(TraceDat, TimeZeroIsWrittenAs1Nanosecond) {
    emitted.begin({.title = "zero"});
    yield(0);
    yield(1);
    const File zero = file();
    EXPECT_EQ(zero.rows.at(0)[0].time, 1);
    EXPECT_EQ(zero.rows.at(0)[1].time, 1);
}

TEST_F(TraceDat, LongNamesAreCutOnlyInEvents) {
    emitted.begin({.title = "names"});
    const std::string thirty(30, 'x');
    threads[1].name = thirty + "yz";
    threads[2].name = thirty + "\u00e9";
    emitted.event({.time = Nanos{1}, .kind = EventKind::sched_switch, .current = 1, .thread = 2}, threads);
    const File names = file();
    const auto& fields = names.rows.at(0)[0].fields;
    EXPECT_EQ(fields.at("prev_comm"), thirty + "y");
    EXPECT_EQ(fields.at("next_comm"), thirty) << "half of a character is none";
    EXPECT_EQ(names.names.at(11), threads[1].name);
}

TEST_F(TraceDat, NameListHasLatestNames) {
    emitted.begin({.title = "exec"});
    yield(1);
    threads[1].name = "C";
    emitted.event({.time = Nanos{2}, .kind = EventKind::exec, .current = 1}, threads);
    for (int pid = 100; pid < 20'000; ++pid) {  // each thread reuses the previous one's entry
        threads[2] = {.pid = pid, .tgid = pid, .name = fmt::format("task.{}", pid)};
        emitted.event({.time = Nanos{pid}, .kind = EventKind::fork, .current = 1, .thread = 2}, threads);
    }
    const File exec = file();
    EXPECT_EQ(exec.names.at(11), "C");
    EXPECT_EQ(exec.names.at(100), "task.100");
    EXPECT_EQ(exec.names.at(19'999), "task.19999");
}

// --- trace-cmd itself ---

TEST(TraceCmd, ReadsEachSwitchAndWakeUp) {
    const ScratchFolder folder;
    for (const char* name : {"php-fpm", "create-process", "yield-processes"}) {
        const WrittenFile written = write_run<File>(trace_dat_format(), name, {.switches = 3000});
        folder.write("trace.dat", written.bytes);
        const Finished report =
            run_tool(folder, "command -v trace-cmd >/dev/null", "trace-cmd report -N -t trace.dat");
        if (report.exit_code == kNotInstalled) GTEST_SKIP() << "there is no trace-cmd here";
        ASSERT_EQ(report.exit_code, 0) << report;
        std::map<std::string, int> expected, found;
        for (const auto& [cpu, rows] : written.rows)
            for (const Row& row : rows) {
                const std::string head = line_head(cpu, row);
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
