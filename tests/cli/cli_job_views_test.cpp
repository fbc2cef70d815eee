// Tests of `switchyard run --view jobs` and `--view schedule`, and of the Gantt chart.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/small_views.h"

namespace cli_job_views_test {

using nlohmann::json;

class JobViews : public SmallViews {
  protected:
    // Stallings' five processes (Operating Systems, 5th to 9th edition, table 9.4).
    std::string stallings() const {
        std::string tasks;
        const char* names[] = {"A", "B", "C", "D", "E"};
        const int starts[] = {0, 2, 4, 6, 8}, lengths[] = {3, 6, 4, 5, 2};
        for (int i = 0; i < 5; ++i)
            tasks += fmt::format(R"({}{{"name": "{}", "start": "{}ms", "program": [{{"run": "{}ms"}}]}})",
                                 i == 0 ? "" : ", ", names[i], starts[i], lengths[i]);
        write_file(folder() / "stallings.json",
                   R"({"format": "switchyard-scenario/1", "policy": "round-robin:quantum=1", "until": "1s",
                       "machine": {"hz": 1000}, "tasks": [)" +
                       tasks + "]}");
        return "stallings.json";
    }

    // Returns the tasks on the first CPU, each with its run time in ms, for example "A3 B6".
    std::string schedule_in_ms(const Words& words) const {
        std::istringstream lines(view("schedule", words));
        std::string text, line;
        std::getline(lines, line);
        EXPECT_EQ(line, "cpu,task,begin_ns,ns");
        while (std::getline(lines, line)) {
            const std::size_t name = line.find(',') + 1, begin = line.find(',', name) + 1,
                              ns = line.find(',', begin) + 1;
            text += fmt::format("{}{}{}", text.empty() ? "" : " ", line.substr(name, begin - 1 - name),
                                std::stoll(line.substr(ns)) / 1'000'000);
        }
        return text;
    }
};

TEST_F(JobViews, StallingsJobsArePrintedAsTable) {
    EXPECT_EQ(view("jobs", {stallings()}),
              "job         arrival     service   first run      finish    response  turnaround     waiting  "
              "normalised\n"
              "A              0 ns        3 ms        0 ns        4 ms        0 ns        4 ms        1 ms   "
              "     1.33\n"
              "B              2 ms        6 ms        2 ms       18 ms        0 ns       16 ms       10 ms   "
              "     2.67\n"
              "C              4 ms        4 ms        5 ms       17 ms        1 ms       13 ms        9 ms   "
              "     3.25\n"
              "D              6 ms        5 ms        7 ms       20 ms        1 ms       14 ms        9 ms   "
              "     2.80\n"
              "E              8 ms        2 ms       10 ms       15 ms        2 ms        7 ms        5 ms   "
              "     3.50\n"
              "mean                                                         800 us     10.8 ms      6.8 ms   "
              "     2.71\n"
              "longest                                                        2 ms       16 ms       10 ms\n"
              "\nfinished jobs: 5 in 20 ms, 250 per second; Jain's index 0.8556\n");
}

TEST_F(JobViews, UnfinishedJobsShowDashes) {
    const std::string text =
        view("jobs", {stallings(), "--until", "3ms", "--policy", "round-robin:quantum=9"});
    EXPECT_NE(
        text.find("\nC" + std::string(17, ' ') +
                  "-        0 ns           -           -           -           -           -           -\n"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("\nno job has finished in 3 ms"), std::string::npos) << text;
    EXPECT_NE(view("jobs", {stallings(), "--set", "/tasks=[]"}).find("no job has finished in 0 ns\n"),
              std::string::npos);
}

TEST_F(JobViews, JobsInReusedRowsAreCounted) {
    write_file(folder() / "forks.json", R"({"format": "switchyard-scenario/1", "machine": {}, "until": "4s",
        "max_tasks": 2, "tasks": [{"name": "parent", "program": [{"loop": 3,
            "steps": [{"fork": "child"}, {"arrival": "1s"}]}]},
            {"name": "child", "count": 0, "program": [{"run": "2ms"}]}]})");
    const std::string text = view("jobs", {"forks.json"});
    EXPECT_NE(text.find("\n... and 2 finished jobs whose rows of the task table were reused\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("\nfinished jobs: 4 in 3 s"), std::string::npos) << text;
}

// The charts of Stallings' figure 9.5.
TEST_F(JobViews, ScheduleMatchesStallingsChart) {
    EXPECT_EQ(schedule_in_ms({stallings(), "--policy", "round-robin:quantum=1000000"}), "A3 B6 C4 D5 E2");
    EXPECT_EQ(schedule_in_ms({stallings()}), "A2 B1 A1 B1 C1 B1 D1 C1 B1 E1 D1 C1 B1 E1 D1 C1 B1 D2");
    EXPECT_EQ(schedule_in_ms({stallings(), "--policy", "round-robin:quantum=4"}), "A3 B4 C4 D4 B2 E2 D1");
    EXPECT_EQ(schedule_in_ms({stallings(), "--set", "/tasks/1/start=\"5ms\"", "--until", "6ms", "--set",
                              "/tasks/2/start=\"50ms\""}),
              "A3 idle2 B1");
}

TEST_F(JobViews, ScheduleCoversTimeOfAllCpus) {
    for (const char* scenario : {"web-server", "goroutines", "park-unpark"}) {
        SCOPED_TRACE(scenario);
        const json run = json_output({"run", scenario, "--until", "100ms"});
        std::istringstream lines(view("schedule", {scenario, "--until", "100ms"}));
        std::string line, before;
        std::getline(lines, line);
        std::map<std::string, std::int64_t> until;
        while (std::getline(lines, line)) {
            const std::string cpu = line.substr(0, line.find(','));
            const std::size_t ns = line.rfind(',') + 1, begin = line.rfind(',', ns - 2) + 1;
            const std::string name = line.substr(0, begin - 1);
            EXPECT_EQ(std::stoll(line.substr(begin)), until[cpu]);
            EXPECT_NE(name, before);
            before = name;
            until[cpu] += std::stoll(line.substr(ns));
        }
        EXPECT_EQ(until.size(), run.at("cpus").get<std::size_t>());
        for (const auto& [cpu, end] : until) EXPECT_EQ(end, run.at("simulated_ns").get<std::int64_t>());
    }
}

TEST_F(JobViews, OversizedScheduleIsRejected) {
    expect_refused({"run", "yield-processes", "--until", "1h", "--view", "schedule"},
                   "end the run earlier with --until or --switches");
}

TEST_F(JobViews, GanttChartShowsTurnsAndTaskRows) {
    const std::string chart = output({"figure", "gantt", stallings()});
    std::size_t boxes = 0;
    for (std::size_t at = 0; (at = chart.find(">D</text>", at)) != std::string::npos; ++at) ++boxes;
    EXPECT_EQ(boxes, 4u + 2u);  // two further texts: arrival marker, legend
    EXPECT_NE(chart.find("turnaround 10.8, waiting 6.8; normalised turnaround 2.71"), std::string::npos);
    for (const char* time : {">0</text>", ">2</text>", ">17</text>", ">20</text>"})
        EXPECT_NE(chart.find(time), std::string::npos) << time;
    EXPECT_EQ(chart.find(">1</text>"), std::string::npos);  // no task starts at 1

    const std::string rows = output({"figure", "gantt", stallings(), "--row-per", "task"});
    for (const char* text : {">turnaround</text>", ">from arrival to finish</text>", ">16</text>"})
        EXPECT_NE(rows.find(text), std::string::npos) << text;
    EXPECT_EQ(rows.find(">CPU 0</text>"), std::string::npos);
}

TEST_F(JobViews, InvalidFigureOptionsAreRejected) {
    expect_refused({"figure", "gantt", "yield-processes"}, "a figure can show at most 1000");
    expect_refused({"figure", "gantt", stallings(), "--from", "30ms"}, "the run ends at 20ms");
    expect_refused({"figure", "gantt", "two-hogs", "--policy", "linux-2.0", "--policy", "nt4"},
                   "one --policy");
    expect_refused({"figure", "timeline", "two-hogs", "--row-per", "task"}, "--row-per cannot be used with");
    expect_refused({"figure", "timeline", "two-hogs", "--entry", "hog"}, "--entry cannot be used with");
    expect_refused({"figure", "latency", "two-hogs", "--entry", "hug"}, "did you mean 'hog'?");
    expect_refused({"run", "two-hogs", "--latency", "--expect"}, "--latency cannot be used with");
}

}  // namespace cli_job_views_test
