// `pidstat -w` and `pidstat -u`, with and without -t, -p and -C: the processes, or processes and threads,
// that were active in each interval.
//
// pidstat reads /proc/PID/stat, status and schedstat. Only stat contains the sums of all threads of a
// process. So without -t, the user and system times are those of the process, but the switches and waiting
// times are those of the leader.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/views/intervals.h"
#include "sim/views/processes.h"

namespace sim::views {
namespace {

struct PidstatOptions {
    bool cpu;      // true: option -u; false: option -w
    bool threads;  // -t
};

// Counters in /proc since the start of the process or thread.
struct ProcCounters {
    Nanos user{}, system{}, wait{};
    std::uint64_t voluntary = 0, involuntary = 0;
    std::uint32_t last_cpu = 0;
};

ProcCounters counters_of(const Thread& t) {
    return {t.used.user, t.used.system, t.used.ready, t.used.voluntary, t.used.involuntary, t.last_cpu};
}

ProcCounters counters_of(const Process& process) {
    ProcCounters counters = counters_of(process.leader());
    counters.user = process.user;
    counters.system = process.system;
    return counters;
}

ProcCounters counter_increase(const ProcCounters& before, const ProcCounters& now) {
    // A thread that executes another program leaves its process. The process then no longer includes the
    // thread's CPU time, so the times of a process may decrease.
    const auto time = [](Nanos a, Nanos b) { return std::max(b - a, Nanos{}); };
    return {time(before.user, now.user),          time(before.system, now.system),
            time(before.wait, now.wait),          now.voluntary - before.voluntary,
            now.involuntary - before.involuntary, now.last_cpu};
}

class Pidstat {
  public:
    Pidstat(const ViewedRun& run, PidstatOptions options)
        : scenario_(run.scenario), options_(options), pids_(run.pids), command_(run.command) {
        text_ = fmt::format(
            "{:<11}   UID{}{}  Command\n", time_of_day({}),
            options.threads ? "      TGID       TID" : "       PID",
            options.cpu ? "    %usr %system  %guest   %wait    %CPU   CPU" : "   cswch/s nvcswch/s");
    }

    void report(const ReportInterval& i) {
        std::map<std::uint32_t, ProcCounters> processes, threads;
        for (const Process& process : processes_of(scenario_, i.statistics, i.m)) {
            processes[process.tgid()] = counters_of(process);
            for (const Thread& thread : process.threads) threads[thread.pid] = counters_of(thread);
            report_process(i, process);
        }
        processes_ = std::move(processes);
        threads_ = std::move(threads);
    }

    const std::string& text() const { return text_; }

  private:
    void report_process(const ReportInterval& i, const Process& process) {
        if (!pids_.empty() && std::find(pids_.begin(), pids_.end(), process.tgid()) == pids_.end()) return;
        const ProcCounters all =
            counter_increase(previous_process_counters(process.tgid()), counters_of(process));
        const bool shown = is_shown(all, process.leader().name);
        if (shown)
            add_line(i, fmt::format("{:10}{}", process.tgid(), options_.threads ? "         -" : ""), all,
                     process.leader().name);
        if (!options_.threads) return;
        // If no line names the process yet, the line of its first active thread also names the process.
        bool is_process_named = shown;
        for (const Thread& thread : process.threads) {
            const ProcCounters own =
                counter_increase(previous_thread_counters(thread.pid), counters_of(thread));
            if (!is_shown(own, thread.name)) continue;
            if (is_process_named)
                add_line(i, fmt::format("         - {:9}", thread.pid), own, "|__" + thread.name);
            else
                add_line(i, fmt::format("{:10} {:9}", process.tgid(), thread.pid), own,
                         fmt::format("({})__{}", process.leader().name, thread.name));
            is_process_named = true;
        }
    }

    ProcCounters previous_thread_counters(std::uint32_t pid) const {
        const auto found = threads_.find(pid);
        return found == threads_.end() ? ProcCounters{} : found->second;
    }

    // The counters of the process at the previous report; 0 if it did not exist. If `tgid` was the pid of a
    // thread of another process at that report, these are the counters of that thread.
    ProcCounters previous_process_counters(std::uint32_t tgid) const {
        const auto found = processes_.find(tgid);
        return found == processes_.end() ? previous_thread_counters(tgid) : found->second;
    }

    // Without -p, only processes and threads that were active in the interval are shown.
    bool is_shown(const ProcCounters& counters, const std::string& name) const {
        if (name.find(command_) == std::string::npos) return false;
        if (!pids_.empty()) return true;
        return options_.cpu ? counters.user + counters.system > Nanos{}
                            : counters.voluntary + counters.involuntary > 0;
    }

    void add_line(const ReportInterval& i, const std::string& ids, const ProcCounters& counters,
                  const std::string& command) {
        text_ += fmt::format("{:<11} {:5}{}", time_of_day(i.after.time), 0, ids);
        if (options_.cpu) {
            const auto share = [&](Nanos time) {
                return 100 * static_cast<double>(time.count()) /
                       static_cast<double>((i.after.time - i.before.time).count());
            };
            text_ += fmt::format(" {:7.2f} {:7.2f} {:7.2f} {:7.2f} {:7.2f}   {:3}", share(counters.user),
                                 share(counters.system), 0.0, share(counters.wait),
                                 share(counters.user + counters.system), counters.last_cpu);
        } else {
            text_ += fmt::format(" {:9.2f} {:9.2f}", per_second(counters.voluntary, i.before, i.after),
                                 per_second(counters.involuntary, i.before, i.after));
        }
        text_ += fmt::format("  {}\n", command);
    }

    const Scenario& scenario_;
    const PidstatOptions options_;
    const std::vector<std::uint32_t> pids_;  // pids of option -p; empty: all processes
    const std::string command_;              // -C
    std::string text_;
    // Counters at the end of the previous interval, by tgid or pid.
    std::map<std::uint32_t, ProcCounters> processes_, threads_;
};

View make_pidstat_view(const char* name, PidstatOptions options) {
    return {
        name, {ViewOption::interval, ViewOption::pid, ViewOption::command}, [options](const ViewedRun& run) {
            Pidstat tool(run, options);
            for_each_interval(run, [&](const ReportInterval& i) { tool.report(i); });
            return tool.text();
        }};
}

}  // namespace

View pidstat_view() { return make_pidstat_view("pidstat", {.cpu = false, .threads = false}); }
View pidstat_t_view() { return make_pidstat_view("pidstat-t", {.cpu = false, .threads = true}); }
View pidstat_u_view() { return make_pidstat_view("pidstat-u", {.cpu = true, .threads = false}); }
View pidstat_ut_view() { return make_pidstat_view("pidstat-ut", {.cpu = true, .threads = true}); }

}  // namespace sim::views
