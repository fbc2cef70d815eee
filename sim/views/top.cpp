// `top -b -d INTERVAL` of procps 3.2.8, in a terminal of 24 lines: the state of the machine and the processes
// that used the CPUs most, for each interval.
//
// The fields are those of top's default: man page top(1) of procps 3.2.8, "1c. SUMMARY Area" and "2a.
// DESCRIPTIONS of Fields". Times are exact, while the real top counts clock ticks. The user time of tasks
// with a positive nice value is counted in `us`, and `ni` is 0, because the totals of exited tasks are not
// kept by nice value.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "sim/views/intervals.h"
#include "sim/views/processes.h"
#include "sim/views/uptime.h"

namespace sim::views {
namespace {

constexpr std::size_t kMostLines = 17;  // lines of processes; the 7 other lines of the terminal are above

struct ProcessLine {
    std::uint32_t pid = 0;
    Nanos used{};      // CPU time since the start of the process
    Nanos recently{};  // CPU time in the interval
    const Thread* leader = nullptr;
};

std::string tasks_line(const std::vector<Process>& processes) {
    std::size_t running = 0, zombies = 0;
    for (const Process& process : processes) {
        running += process.leader().state[0] == 'R';
        zombies += process.leader().state[0] == 'Z';
    }
    // Like the real top, counts tasks in state D as sleeping.
    return fmt::format("Tasks: {:3} total, {:3} running, {:3} sleeping, {:3} stopped, {:3} zombie\n",
                       processes.size(), running, processes.size() - running - zombies, 0, zombies);
}

std::string cpus_line(const Sample& before, const Sample& after) {
    const TimeParts time = after.parts - before.parts;
    const auto percent = [&](Nanos part) {
        return 100 * static_cast<double>(part.count()) / static_cast<double>(time.total().count());
    };
    const Nanos io_wait = after.io_wait - before.io_wait, interrupts = time.overhead.interrupts;
    return fmt::format(
        "Cpu(s):{:5.1f}%us,{:5.1f}%sy,{:5.1f}%ni,{:5.1f}%id,{:5.1f}%wa,{:5.1f}%hi,{:5.1f}%si,{:5.1f}%st\n",
        percent(time.user), percent(time.overhead.total() - time.overhead.stolen - interrupts), 0.0,
        percent(time.idle - io_wait), percent(io_wait), percent(interrupts), 0.0,
        percent(time.overhead.stolen));
}

// The kernel's p->prio minus 100: -1 - rt_priority for a real-time thread, 20 + nice for the others.
std::string priority_of(const Thread& thread) {
    const std::int32_t priority = thread.rt_priority > 0 ? -1 - thread.rt_priority : 20 + thread.nice;
    return priority < -99 ? "RT" : fmt::format("{}", priority);
}

class Top {
  public:
    explicit Top(const Scenario& scenario) : scenario_(scenario) {}

    void report(const ReportInterval& i) {
        const std::vector<Process> processes = processes_of(scenario_, i.statistics, i.m);
        if (!text_.empty()) text_ += "\n";
        text_ += fmt::format("top -{}\n", uptime_line(i.after.time, i.statistics.load));
        text_ += tasks_line(processes) + cpus_line(i.before, i.after);
        text_ += fmt::format("Mem:  {0:8}k total, {0:8}k used, {0:8}k free, {0:8}k buffers\n", 0);
        text_ += fmt::format("Swap: {0:8}k total, {0:8}k used, {0:8}k free, {0:8}k cached\n\n", 0);
        text_ += "  PID USER      PR  NI  VIRT  RES  SHR S %CPU %MEM    TIME+  COMMAND\n";
        const std::vector<ProcessLine> lines = process_lines(processes);
        for (std::size_t n = 0; n < std::min(kMostLines, lines.size()); ++n) add_line(i, lines[n]);
    }

    const std::string& text() const { return text_; }

  private:
    // The processes in descending order of their CPU time in the interval.
    std::vector<ProcessLine> process_lines(const std::vector<Process>& processes) {
        std::vector<ProcessLine> lines;
        std::map<std::uint32_t, Nanos> used;
        for (const Process& process : processes) {
            const Nanos now = process.user + process.system;
            const auto before = used_.find(process.tgid());
            const Nanos recently = now - (before == used_.end() ? Nanos{} : before->second);
            lines.push_back({process.tgid(), now, std::max(recently, Nanos{}), &process.leader()});
            used[process.tgid()] = now;
        }
        used_ = std::move(used);
        std::stable_sort(lines.begin(), lines.end(),
                         [](const ProcessLine& a, const ProcessLine& b) { return a.recently > b.recently; });
        return lines;
    }

    void add_line(const ReportInterval& i, const ProcessLine& line) {
        double share = 100 * static_cast<double>(line.recently.count()) /
                       static_cast<double>((i.after.time - i.before.time).count());
        if (i.m.shape().cpus == 1) share = std::min(share, 99.9);  // the real top has this limit, too
        const std::int64_t hundredths = line.used / 10ms;
        text_ += fmt::format(
            "{:5} {:<8} {:>3} {:3} {:>5} {:>4} {:>4} {} {:4.1f} {:4.1f} {:>9} {}\n", line.pid, "root",
            priority_of(*line.leader), line.leader->nice, 0, 0, 0, line.leader->state[0], share, 0.0,
            fmt::format("{}:{:02}.{:02}", hundredths / 6000, hundredths / 100 % 60, hundredths % 100),
            line.leader->name);
    }

    const Scenario& scenario_;
    std::string text_;
    // By tgid: CPU time of the process at the end of the previous interval.
    std::map<std::uint32_t, Nanos> used_;
};

std::string print_top(const ViewedRun& run) {
    Top top(run.scenario);
    for_each_interval(run, [&](const ReportInterval& i) { top.report(i); });
    return top.text();
}

}  // namespace

View top_view() { return {"top", {ViewOption::interval}, print_top}; }

}  // namespace sim::views
