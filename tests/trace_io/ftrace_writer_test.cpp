// Tests of the ftrace text writer: kernel work nests correctly per thread, and per CPU for the idle task.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/test_name.h"
#include "tests/trace_io/recorded_events.h"

namespace sim {
namespace ftrace_writer_test {

using namespace trace_io;
using recorded_events::EventsOfRun;

class FtraceOf : public testing::TestWithParam<std::string> {};

TEST_P(FtraceOf, KernelWorkMarkersAreBalanced) {
    const EventsOfRun run = recorded_events::record_run(GetParam(), ftrace_format(), 400);
    const std::regex mark(R"(-(\d+) .* tracing_mark_write: ([BEGH])\|(\d+)(?:\|(.*))?)");
    std::map<std::string, int> depth;         // per thread, by pid
    std::map<std::string, std::string> idle;  // names of open slices, by "track|number"
    std::size_t marks = 0, emitted = 0;
    for (const recorded_events::EventRecord& t : run.events)
        emitted += t.event.kind == EventKind::work_begin || t.event.kind == EventKind::work_end ? 1 : 0;
    std::size_t at = 0;
    while (at < run.file.size()) {
        const std::size_t end = run.file.find('\n', at);
        const std::string line = run.file.substr(at, end - at);
        at = end + 1;
        if (line.find("tracing_mark_write") == std::string::npos) continue;
        std::smatch m;
        if (!std::regex_search(line, m, mark)) continue;
        ++marks;
        const std::string pid = m[1], kind = m[2], rest = m[4];
        EXPECT_EQ(pid == "0", kind == "G" || kind == "H") << line;
        if (kind == "B") ++depth[pid];
        if (kind == "E") {
            EXPECT_GT(depth[pid]--, 0) << line;
        }
        if (kind == "G") {
            const std::size_t first = rest.find('|'), second = rest.find('|', first + 1);
            idle[rest.substr(0, first) + rest.substr(second)] = rest.substr(first + 1, second - first - 1);
        }
        if (kind == "H") {
            EXPECT_EQ(idle.erase(rest), 1u) << line;
        }
    }
    EXPECT_EQ(marks, emitted);
    EXPECT_TRUE(idle.empty());
    for (const auto& [pid, open] : depth) EXPECT_EQ(open, 0) << pid;
}

INSTANTIATE_TEST_SUITE_P(SeveralCpus, FtraceOf, testing::Values("php-fpm", "idle-machine", "web-server"),
                         name_of_parameter);

}  // namespace ftrace_writer_test
}  // namespace sim
