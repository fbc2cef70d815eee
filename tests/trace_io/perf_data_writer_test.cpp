// Parses perf.data files with a reader written here from the format description: all emitted events are in
// them. If perf is installed, it reads them, too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/trace_io/export/export_formats.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_name.h"
#include "tests/trace_io/installed_tool.h"
#include "tests/trace_io/tracepoint_rows.h"

namespace sim {
namespace perf_data_writer_test {

using namespace trace_io;
using namespace tracepoint_rows;
using installed_tool::kNotInstalled;
using installed_tool::run_tool;

struct Place {
    std::uint64_t offset = 0, size = 0;
};

class File {
  public:
    explicit File(std::string bytes) : bytes_(std::move(bytes)) {
        Bytes in(bytes_);
        in.expect("PERFILE2");
        EXPECT_EQ(in.number(8), 104u) << "of this header";
        const std::uint64_t attribute_size = in.number(8);
        const Place attributes = place(in), data = place(in), no_types = place(in);
        EXPECT_EQ(no_types.size, 0u);
        std::uint64_t features = in.number(8);
        for (int i = 0; i < 3; ++i) EXPECT_EQ(in.number(8), 0u);
        Bytes places(from(data.offset + data.size));
        std::map<int, std::string_view> of;  // by feature bit
        std::uint64_t end = 0;
        for (int bit = 0; features != 0; ++bit, features >>= 1)
            if (features & 1) {
                const Place feature = place(places);
                of[bit] = at(feature);
                end = feature.offset + feature.size;
            }
        EXPECT_EQ(end, bytes_.size());
        Bytes tracing(of.at(1)), release(of.at(4)), cpu_counts(of.at(7));
        formats_.read(tracing, "tracing0.6");
        EXPECT_EQ(tracing.number(8), 0u) << "names";
        EXPECT_EQ(tracing.left(), 0u);
        const std::uint64_t length = release.number(4);
        EXPECT_EQ(length, release.left());
        run = release.word();
        cpus = static_cast<CpuId>(cpu_counts.number(4));
        EXPECT_EQ(cpu_counts.number(4), cpus) << "online, and available";
        Bytes each(at(attributes));
        while (each.left() > 0) read_attribute(each, attribute_size);
        Bytes records(at(data));
        while (records.left() > 0) read_record(records);
    }

    CpuId cpus = 0;
    std::string run;
    Rows rows;
    std::map<std::int64_t, std::string> names;        // by pid
    std::map<std::int64_t, std::int64_t> process_of;  // by pid
    std::map<std::int64_t, std::int64_t> parent_of;   // parents of forked processes, by pid
    std::vector<std::int64_t> times;                  // times of all samples
    std::size_t rounds = 0;

  private:
    static Place place(Bytes& in) {
        const std::uint64_t offset = in.number(8);
        return {offset, in.number(8)};
    }
    std::string_view from(std::uint64_t offset) const { return std::string_view(bytes_).substr(offset); }
    std::string_view at(Place p) const {
        EXPECT_LE(p.offset + p.size, bytes_.size());
        return from(p.offset).substr(0, p.size);
    }

    void read_attribute(Bytes& in, std::uint64_t size) {
        EXPECT_EQ(in.number(4), 2u) << "PERF_TYPE_TRACEPOINT";
        EXPECT_EQ(in.number(4), size - 16);
        const std::uint64_t tracepoint = in.number(8);
        EXPECT_EQ(in.number(8), 1u) << "period";
        EXPECT_EQ(in.number(8), 0x10586u) << "identifier, tid, time, CPU, period, raw";
        EXPECT_EQ(in.number(8), 0u) << "of counters";
        EXPECT_NE(in.number(8) & 1 << 18, 0u) << "sample_id_all";
        in.number(8);
        in.number(8);
        Bytes ids(at(place(in)));
        while (ids.left() > 0) EXPECT_TRUE(tracepoint_of_.emplace(ids.number(8), tracepoint).second);
    }

    void read_record(Bytes& records) {
        const std::uint64_t type = records.number(4), misc = records.number(2), size = records.number(2);
        EXPECT_EQ(size % 8, 0u);
        Bytes in(records.take(size - 8));
        if (type == 68) {
            ++rounds;
            EXPECT_EQ(size, 8u);
            return;
        }
        if (type == 9) return read_sample(in);
        EXPECT_EQ(misc & 7, 2u) << "user";
        if (type == 7) {
            process_of[0] = 0;
            const std::uint64_t process = in.number(4), of = in.number(4), pid = in.number(4);
            EXPECT_EQ(process_of[static_cast<std::int64_t>(parent_of[static_cast<std::int64_t>(pid)] =
                                                               static_cast<std::int64_t>(in.number(4)))],
                      static_cast<std::int64_t>(of));
            process_of[static_cast<std::int64_t>(pid)] = static_cast<std::int64_t>(process);
            in.number(8);
        } else {
            ASSERT_EQ(type, 3u);
            const auto process = static_cast<std::int64_t>(in.number(4));
            const auto pid = static_cast<std::int64_t>(in.number(4));
            process_of[pid] = process;
            names[pid] = in.word();
            while (in.left() > 32) EXPECT_EQ(in.number(1), 0u) << "padding";
            for (int i = 0; i < 2; ++i) in.number(4);
        }
        if (type == 7) in.number(8);
        EXPECT_GE(static_cast<std::int64_t>(in.number(8)), times.empty() ? 1 : times.back());
        EXPECT_LT(in.number(8), std::max(cpus, 1u));
        EXPECT_TRUE(tracepoint_of_.contains(in.number(8)));
        EXPECT_EQ(in.left(), 0u);
    }

    void read_sample(Bytes& in) {
        const std::uint64_t tracepoint = tracepoint_of_.at(in.number(8));
        const auto process = static_cast<std::int64_t>(in.number(4));
        const auto pid = static_cast<std::int64_t>(in.number(4));
        const auto time = static_cast<std::int64_t>(in.number(8));
        const auto cpu = static_cast<CpuId>(in.number(8));
        EXPECT_EQ(in.number(8), 1u) << "period";
        const std::uint64_t raw = in.number(4);
        EXPECT_EQ(raw, in.left());
        const std::string_view record = in.take(in.left());
        EXPECT_EQ(Bytes(record).number(2), tracepoint);
        EXPECT_LT(record.size() - formats_.size_of(record), 8u) << "padding";
        rows[cpu].push_back(formats_.row(time, record));
        EXPECT_EQ(rows[cpu].back().pid, pid);
        EXPECT_EQ(pid == 0 ? 0 : process_of.at(pid), process) << "who is named before";
        EXPECT_TRUE(times.empty() || times.back() <= time);
        times.push_back(time);
    }

    std::string bytes_;
    RecordFormats formats_;
    std::map<std::uint64_t, std::uint64_t> tracepoint_of_;  // by sample id
};

// Returns the row as it is in perf.data, where preemption is a separate field and not a bit of prev_state.
Row as_perf_has_it(Row row) {
    if (row.name != "sched/sched_switch") return row;
    std::string& state = row.fields.at("prev_state");
    row.fields["preempted"] = state == "256" ? "1" : "0";
    if (state == "256") state = "0";
    return row;
}

// Checks and removes the rows that the writer adds: interrupts and sched_stat_runtime.
std::vector<Row> without_added_rows(const std::vector<Row>& rows) {
    std::vector<Row> kept;
    bool in_interrupt = false;
    std::int64_t since = 0, ran = 0;
    for (const Row& row : rows) {
        if (row.name == "irq/irq_handler_entry" || row.name == "irq/irq_handler_exit") {
            EXPECT_EQ(in_interrupt, row.name.ends_with("exit")) << row;
            in_interrupt = !in_interrupt;
            continue;
        }
        if (row.name == "sched/sched_stat_runtime") {
            ran = std::stoll(row.fields.at("runtime"));
            EXPECT_EQ(row.fields.at("pid"), std::to_string(row.pid));
            continue;
        }
        EXPECT_EQ((row.flags & 0x08) != 0, in_interrupt) << row;
        if (row.name == "sched/sched_switch") {
            // Events at time 0 are written with time 1. A run of length 0 has no sched_stat_runtime.
            if (row.pid != 0 && row.time > since) {
                EXPECT_EQ(ran, row.time - (since == 1 ? 0 : since)) << row;
            }
            since = row.time;
            ran = 0;
        }
        kept.push_back(row);
    }
    EXPECT_FALSE(in_interrupt);
    EXPECT_EQ(ran, 0);
    return kept;
}

void expect_same(const File& file, const ForwardingSink& emitted) {
    EXPECT_EQ(file.run, emitted.run);
    for (const auto& [pid, name] : emitted.names) EXPECT_EQ(file.names.at(pid), name);
    for (const auto& [cpu, rows] : emitted.rows) {
        EXPECT_LT(cpu, file.cpus);
        const std::vector<Row> actual = without_added_rows(file.rows.at(cpu));
        ASSERT_EQ(actual.size(), rows.size()) << "CPU " << cpu;
        for (std::size_t i = 0; i < actual.size(); ++i)
            ASSERT_EQ(actual[i], as_perf_has_it(rows[i])) << "CPU " << cpu;
    }
    EXPECT_EQ(file.rows.size(), emitted.rows.size());
}

class PerfDataOf : public testing::TestWithParam<std::string> {};

TEST_P(PerfDataOf, HasEveryEmittedEvent) {
    write_run<File>(perf_data_format(), GetParam(), {.switches = 400, .events = 8'000});
}

INSTANTIATE_TEST_SUITE_P(Gallery, PerfDataOf, testing::ValuesIn(builtin_file_names("")), name_of_parameter);

// --- handmade events ---

class PerfData : public HandmadeRun<File> {
  protected:
    PerfData() : HandmadeRun(perf_data_format(), 11) {}
};

TEST_F(PerfData, EmptyRunHasOnlyHeader) { expect_empty_run_has_only_header(); }

TEST_F(PerfData, UndeclaredCpusAreCounted) { expect_undeclared_cpus_are_counted(); }

TEST_F(PerfData, LongNamesAndParentsAreKept) {
    emitted.begin({.title = "names", .cpus = 1});
    for (const std::string& name : {std::string(7, 'x'), std::string(8, 'y'), std::string(60, 'z')}) {
        threads[1].name = name;
        emitted.event({.time = Nanos{1}, .kind = EventKind::exec, .current = 1}, threads);
    }
    threads[2] = {.pid = 13, .tgid = 13, .name = "child"};
    emitted.event({.time = Nanos{2}, .kind = EventKind::fork, .current = 1, .thread = 2}, threads);
    const File names = file();
    EXPECT_EQ(names.names.at(11), std::string(60, 'z'));
    EXPECT_EQ(names.parent_of, (std::map<std::int64_t, std::int64_t>{{13, 11}}));
}

// Events of one interrupt (same CPU and time) share one entry and one exit.
TEST_F(PerfData, SimultaneousWakeUpsShareInterrupt) {
    emitted.begin({.title = "interrupts", .cpus = 2});
    const auto wake = [&](std::int64_t time, CpuId cpu, EventKind kind) {
        emitted.event(
            {.time = Nanos{time}, .kind = kind, .cpu = cpu, .current = 1, .thread = 2, .in_interrupt = true},
            threads);
    };
    for (const auto& [time, cpu] : {std::pair{5, 0U}, {5, 1U}, {6, 1U}, {9, 0U}}) {
        wake(time, cpu, EventKind::waking);
        wake(time, cpu, EventKind::wakeup);
    }
    const File interrupts = file();
    for (const CpuId cpu : {0U, 1U}) {
        const std::vector<Row>& rows = interrupts.rows.at(cpu);
        ASSERT_EQ(rows.size(), 8u);
        for (const int interrupt : {0, 4}) {
            EXPECT_EQ(rows[static_cast<std::size_t>(interrupt)].name, "irq/irq_handler_entry");
            EXPECT_EQ(rows[static_cast<std::size_t>(interrupt) + 3].name, "irq/irq_handler_exit");
        }
    }
}

TEST_F(PerfData, LongRunsHaveFinishedRoundRecords) {
    emitted.begin({.title = "rounds", .cpus = 1});
    for (int i = 0; i < 25'000; ++i)
        emitted.event({.time = Nanos{i}, .kind = EventKind::queue_length, .value = i}, threads);
    EXPECT_EQ(file().rounds, 2u);
}

// --- perf itself ---

Finished perf(const ScratchFolder& folder, const std::string& command) {
    return run_tool(folder, "perf --version >/dev/null 2>&1", "perf " + command);
}

TEST(Perf, ReadsEachSwitchAndWakeUp) {
    const ScratchFolder folder;
    for (const char* name : {"php-fpm", "create-process", "yield-processes"}) {
        const WrittenFile written = write_run<File>(perf_data_format(), name, {.switches = 3000});
        folder.write("perf.data", written.bytes);
        const Finished script = perf(folder, "script --ns -F cpu,time,event,trace");
        if (script.exit_code == kNotInstalled) GTEST_SKIP() << "there is no perf here";
        ASSERT_EQ(script.exit_code, 0) << script;
        std::map<std::string, int> expected, found;
        for (const auto& [cpu, rows] : written.rows)
            for (const Row& row : rows) {
                const std::string head = line_head(cpu, row);
                const auto& f = row.fields;
                if (row.name == "sched/sched_switch")
                    ++expected[head + fmt::format("{} {}", f.at("prev_pid"), f.at("next_pid"))];
                else if (f.contains("target_cpu"))
                    ++expected[head + f.at("pid")];
            }
        std::istringstream lines(script.out);
        // The numbers after "pid=" in the printed event. With its plugins perf prints "A:11" instead.
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            std::string cpu, time, event, rest;
            words >> cpu >> time >> event >> std::ws;
            std::getline(words, rest);
            if (!event.starts_with("sched:sched_switch") && !event.starts_with("sched:sched_wak")) continue;
            time.pop_back();
            event.pop_back();
            event.replace(event.find(':'), 1, "/");
            std::string key = fmt::format("{} {} {}", cpu, time, event);
            const bool is_plain = rest.find("pid=") != std::string::npos;
            for (std::size_t at = 0;;) {
                at = is_plain ? rest.find("pid=", at) : rest.find(':', at);
                if (at == std::string::npos) break;
                at += is_plain ? 4 : 1;
                const std::size_t end = rest.find_first_not_of("0123456789", at);
                if (!is_plain && (rest.substr(0, at).ends_with("CPU:"))) break;
                key += " " + rest.substr(at, end - at);
            }
            ++found[key];
        }
        EXPECT_EQ(found, expected) << name;
    }
}

// The TOTAL line of the report: CPU time of all tasks, and number of switches to tasks.
TEST(Perf, SchedLatencyTotalsMatchRun) {
    const ScratchFolder folder;
    for (const char* name : {"php-fpm", "interactive-vs-hog", "web-server"}) {
        const WrittenFile written = write_run<File>(perf_data_format(), name, {.switches = 3000});
        folder.write("perf.data", written.bytes);
        const Finished report = perf(folder, "sched latency 2>/dev/null");
        if (report.exit_code == kNotInstalled) GTEST_SKIP() << "there is no perf here";
        ASSERT_EQ(report.exit_code, 0) << report;
        std::int64_t ran = 0, switches = 0;
        for (const auto& [cpu, rows] : written.rows) {
            std::int64_t since = 0;
            for (const Row& row : rows) {
                if (row.name != "sched/sched_switch") continue;
                const std::int64_t time = row.time == 1 ? 0 : row.time;  // events at 0 are written at 1
                if (row.pid != 0) ran += time - since;
                if (row.fields.at("next_pid") != "0") ++switches;
                since = time;
            }
        }
        const std::size_t total = report.out.find("TOTAL:");
        ASSERT_NE(total, std::string::npos) << report;
        std::istringstream words(report.out.substr(total));
        std::string word, ms, count;
        words >> word >> word >> ms >> word >> word >> count;
        // The milliseconds are rounded separately for each task name.
        EXPECT_NEAR(std::stod(ms), static_cast<double>(ran) / 1e6, 0.001) << report;
        EXPECT_EQ(std::stoll(count), switches) << report;
    }
}

}  // namespace perf_data_writer_test
}  // namespace sim
