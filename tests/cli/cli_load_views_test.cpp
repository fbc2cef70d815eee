// Tests of `run --view` with tasks that wait for devices, and of the load averages: vmstat, top and uptime.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/small_views.h"

namespace cli_load_views_test {

class LoadViews : public SmallViews {
  protected:
    // A task that repeats: `run` on CPU 0, then a request of `io` to a disk.
    std::string reader(const std::string& run, const std::string& io, const std::string& device = "",
                       const std::string& more = "") const {
        return scenario(
            R"("until": "2s", "devices": {"disk": {"service_time": ")" + io + "\"" + device + "}}" + more,
            R"({"name": "reader", "program": [{"loop": "forever", "steps": [{"run": ")" + run +
                R"("}, {"io": "disk"}]}]})");
    }

    Words vmstat(const Words& words) const {
        Words lines = lines_of(view("vmstat", words));
        lines.erase(lines.begin(), lines.begin() + 2);
        return lines;
    }
};

// --- vmstat ---

// A cycle has 40 ms: 10 ms on the CPU, 30 ms waiting for the disk. The answer at 1 s belongs to the second
// interval, so the first one has 24 answers and 99 ticks.
TEST_F(LoadViews, VmstatCountsDeviceWaits) {
    EXPECT_EQ(vmstat({reader("10ms", "30ms")}), (Words{" 0  1          0          0          0          0    "
                                                       "0    0     0     0  123   50  25  0   0 75  0",
                                                       " 0  1          0          0          0          0    "
                                                       "0    0     0     0  125   50  25  0   0 75  0"}));
}

TEST_F(LoadViews, InterruptibleDeviceIsIdleTime) {
    const std::string file = reader("10ms", "30ms", R"(, "interruptible": true)");
    EXPECT_EQ(
        vmstat({file}).front(),
        " 0  0          0          0          0          0    0    0     0     0  123   50  25  0  75  0  0");
    EXPECT_NE(view("proc-status", {file}).find("State:\tS (sleeping)\n"), std::string::npos);
    EXPECT_NE(view("proc-status", {reader("10ms", "30ms")}).find("State:\tD (disk sleep)\n"),
              std::string::npos);
}

// nr_iowait belongs to the CPU on which the task ran last; the other CPU is idle.
TEST_F(LoadViews, DeviceWaitsBelongToLastCpu) {
    EXPECT_EQ(
        vmstat({reader("20ms", "20ms", "", R"(, "cpus": 2)")}).back(),
        " 0  1          0          0          0          0    0    0     0     0  225   50  25  0  50 25  0");
}

// A second task uses the CPU while the first one waits: no time is idle.
TEST_F(LoadViews, BusyCpuDoesNotWaitForDevices) {
    const std::string line =
        vmstat({scenario(R"("until": "1s", "devices": {"disk": {"service_time": "30ms"}})",
                         R"({"name": "reader", "program": [{"loop": "forever", "steps": [{"run": "10ms"},
                            {"io": "disk"}]}]}, {"name": "hog", "program": [{"run": "1h"}]})")})
            .back();
    EXPECT_TRUE(line.ends_with(" 100  0   0  0  0")) << line;
}

// A task in the queue of the device waits like the one that is served. The last interval ends the waits.
TEST_F(LoadViews, QueuedRequestsCountAsBlocked) {
    const Words lines = vmstat({scenario(R"("until": "3s", "devices": {"disk": {"service_time": "800ms"}})",
                                         R"({"name": "reader", "count": 3, "program": [{"io": "disk"}]})")});
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_TRUE(lines[0].starts_with(" 0  2 "));
    EXPECT_TRUE(lines[1].starts_with(" 0  1 "));
    EXPECT_TRUE(lines[2].starts_with(" 0  0 "));
    EXPECT_TRUE(lines[1].ends_with("   0  0   0 100  0")) << lines[1];
}

TEST_F(LoadViews, FirstVmstatLineIsSinceStart) {
    EXPECT_EQ(vmstat({"web-server", "--until", "5s", "--interval", "1500ms"}).front(),
              vmstat({"web-server", "--until", "1500ms", "--interval", "10s"}).front());
}

// --- uptime ---

// Two tasks at 5.01 s and 10.01 s: 328/2048 and 629/2048 over a minute.
TEST_F(LoadViews, UptimeShowsLoadAverages) {
    EXPECT_EQ(view("uptime", {"two-hogs", "--policy", "linux-2.0", "--until", "11s", "--interval", "5s"}),
              " 00:00:05 up 0 min,  0 users,  load average: 0.00, 0.00, 0.00\n"
              " 00:00:10 up 0 min,  0 users,  load average: 0.16, 0.03, 0.01\n"
              " 00:00:11 up 0 min,  0 users,  load average: 0.31, 0.07, 0.02\n");
}

TEST_F(LoadViews, UptimeFormatsHoursAndDays) {
    const std::string idle = scenario(R"("until": "50h")", R"({"name": "a", "start": "70h", "program": []})");
    EXPECT_EQ(view("uptime", {idle, "--interval", "25h"}),
              " 01:00:00 up 1 day,  1:00,  0 users,  load average: 0.00, 0.00, 0.00\n"
              " 02:00:00 up 2 days,  2:00,  0 users,  load average: 0.00, 0.00, 0.00\n");
}

// The load counts tasks that wait for a disk, although the CPU is idle.
TEST_F(LoadViews, DiskWaitsRaiseLoad) {
    EXPECT_EQ(view("uptime", {scenario(R"("until": "5min", "devices": {"disk": {"service_time": "1h"}})",
                                       R"({"name": "reader", "count": 4, "program": [{"io": "disk"}]})"),
                              "--interval", "5min"}),
              " 00:05:00 up 5 min,  0 users,  load average: 3.97, 2.52, 1.10\n");
}

// --- top ---

TEST_F(LoadViews, TopShowsLoadStatesAndShares) {
    EXPECT_EQ(view("top", {scenario(R"("until": "6s", "devices": {"disk": {"service_time": "1h"}})",
                                    R"({"name": "reader", "program": [{"io": "disk"}]},
                                       {"name": "audio", "class": "fifo", "rt_priority": 5, "program": [
                                           {"loop": "forever", "steps": [{"run": "1s"}, {"arrival": "1s"}]}]},
                                       {"name": "hog", "nice": 5, "program": [{"run": "1h"}]},
                                       {"name": "shell", "program": [{"arrival": "1h"}]})"),
                           "--interval", "6s", "--policy", "linux-2.2"}),
              "top - 00:00:06 up 0 min,  0 users,  load average: 0.16, 0.03, 0.01\n"
              "Tasks:   4 total,   1 running,   3 sleeping,   0 stopped,   0 zombie\n"
              "Cpu(s):100.0%us,  0.0%sy,  0.0%ni,  0.0%id,  0.0%wa,  0.0%hi,  0.0%si,  0.0%st\n"
              "Mem:         0k total,        0k used,        0k free,        0k buffers\n"
              "Swap:        0k total,        0k used,        0k free,        0k cached\n"
              "\n"
              "  PID USER      PR  NI  VIRT  RES  SHR S %CPU %MEM    TIME+  COMMAND\n"
              "    2 root      -6   0     0    0    0 S 50.0  0.0   0:03.00 audio\n"
              "    3 root      25   5     0    0    0 R 50.0  0.0   0:03.00 hog\n"
              "    1 root      20   0     0    0    0 D  0.0  0.0   0:00.00 reader\n"
              "    4 root      20   0     0    0    0 S  0.0  0.0   0:00.00 shell\n");
}

TEST_F(LoadViews, TopShowsAtMostSeventeenProcesses) {
    const Words lines = lines_of(view("top", {"php-fpm", "--until", "2s", "--interval", "1s"}));
    EXPECT_EQ(lines.size(), 24u + 1u + 24u);
    EXPECT_EQ(lines[24], "");
    EXPECT_TRUE(lines[25].starts_with("top - 00:00:02 up 0 min,  0 users,  load average: ")) << lines[25];
}

}  // namespace cli_load_views_test
