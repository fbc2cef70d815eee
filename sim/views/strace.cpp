// `strace -f -c`: the number of calls and the kernel time of each system call. `strace -f -tt -e
// trace=futex`: each wait and wake of a futex. Both outputs have the format of strace 6.1 and cover all
// tasks, from the start of the run.
//
// The time of a call is the time in the kernel up to its return or up to the switch to another task. (The
// real strace prints the increase of the task's system time, as the kernel counts it.) Calls that have not
// returned, such as exit, are not counted. A futex has the name of its channel, lock or task instead of an
// address, and its value is 0 while tasks wait.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/core/action.h"
#include "sim/views/system_calls.h"

namespace sim::views {
namespace {

struct CallLine {
    std::string name;
    std::uint64_t calls = 0, errors = 0;
    Nanos time{};
};

// A futex wait fails with EAGAIN, without sleeping, if the value of the futex is not the expected one. In
// the simulation, this happens if the program step `wait` does not block, because a wake-up came before it.
bool fails_with_eagain(const Scenario& scenario, const SystemCall& call) {
    return !call.blocks && actions()[scenario.steps[call.step].action].name == "wait";
}

class CallSummary {
  public:
    explicit CallSummary(const Scenario& scenario) : scenario_(scenario) {}

    void on_call(const SystemCall& c) {
        if (c.is_retry) return on_return(c.task);
        const std::string name = call_name(scenario_, c.step);
        charged_line_[c.task] = name == "exit" ? nullptr : &lines_[name];
        waits_[c.task] = c.blocks && !is_pipe_call(scenario_, c.step);
        if (fails_with_eagain(scenario_, c)) ++lines_[name].errors;
        if (!c.blocks) on_return(c.task);
    }

    void on_record(const TraceRecord& r) {
        if (r.kind == TraceKind::syscall) charge(r.task, r.span);
        // An intervention (`block`) in the scenario may have caused this sleep. Then the task's kernel time
        // up to its next call belongs to no system call. If a system call caused the sleep, on_call() follows
        // and sets charged_line_ to the line of this call.
        const bool may_be_intervention =
            r.channel == kNoChannel || scenario_.channels[r.channel].kind == ChannelSpec::Kind::channel;
        if ((r.kind == TraceKind::sleep || r.kind == TraceKind::wait) && may_be_intervention)
            charged_line_[r.task] = nullptr;
        if (r.kind != TraceKind::schedule) return;
        if (r.from_syscall) charge(r.other, r.span);
        if (const auto waits = waits_.find(r.task); waits != waits_.end() && waits->second) {
            on_return(r.task);
            waits->second = false;
        }
    }

    std::string to_text() const {
        std::vector<CallLine> lines;
        CallLine total{.name = "total"};
        for (const auto& [name, line] : lines_) {
            if (line.calls == 0) continue;
            lines.push_back(line);
            lines.back().name = name;
            total.calls += line.calls;
            total.errors += line.errors;
            total.time += line.time;
        }
        std::stable_sort(lines.begin(), lines.end(),
                         [](const CallLine& a, const CallLine& b) { return a.time > b.time; });
        const char* rule = "------ ----------- ----------- --------- --------- ----------------\n";
        std::string text = "% time     seconds  usecs/call     calls    errors syscall\n";
        text += rule;
        for (const CallLine& line : lines) text += line_of(line, share(line.time, total.time));
        return text + rule + line_of(total, 100);
    }

  private:
    void on_return(TaskId p) {
        if (CallLine* line = charged_line_[p]; line != nullptr) ++line->calls;
    }
    void charge(TaskId p, Nanos span) {
        if (CallLine* line = charged_line_[p]; line != nullptr) line->time += span;
    }

    static double share(Nanos part, Nanos all) {
        return all == Nanos{} ? 0
                              : 100 * static_cast<double>(part.count()) / static_cast<double>(all.count());
    }
    static std::string line_of(const CallLine& line, double percent) {
        const std::int64_t microseconds = line.time / 1us;
        const std::int64_t each = line.calls == 0 ? 0 : microseconds / static_cast<std::int64_t>(line.calls);
        return fmt::format("{:6.2f} {:4}.{:06} {:11} {:9} {:>9} {}\n", percent, microseconds / 1'000'000,
                           microseconds % 1'000'000, each, line.calls,
                           line.errors == 0 ? "" : std::to_string(line.errors), line.name);
    }

    const Scenario& scenario_;
    std::map<std::string, CallLine> lines_;     // by name
    std::map<TaskId, CallLine*> charged_line_;  // line for the task's kernel time; null: not counted
    std::map<TaskId, bool> waits_;              // the task sleeps in a call that ends when it runs again
};

class FutexLog {
  public:
    // REQUIRES: the machine is at time 0.
    FutexLog(const Scenario& scenario, const Machine& m)
        : scenario_(scenario), pids_(m.shape().cpus + m.shape().tasks), tasks_(m.globals().nr_tasks) {
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) pids_[p] = m.task[p].pid;
    }

    void on_call(const SystemCall& c) {
        const TaskId waker = std::exchange(waker_, kNoTask);
        if (call_name(scenario_, c.step) != "futex") return;
        const Step& step = scenario_.steps[c.step];
        const std::string& action = actions()[step.action].name;
        const bool waits = action == "wait" || action == "lock" || action == "park";
        begin_line(c.task, c.time);
        line_ += fmt::format("futex({}, {}", scenario_.channels[step.target].name,
                             waits ? "FUTEX_WAIT, 0, NULL" : "FUTEX_WAKE, 1");
        if (c.blocks) {
            waiting_.insert(c.task);
            open_ = c.task;
        } else {
            end_line_with_result(waits             ? "-1 EAGAIN (Resource temporarily unavailable)"
                                 : waker == c.task ? "1"
                                                   : "0");
        }
    }

    void on_record(const TraceRecord& r) {
        switch (r.kind) {
            case TraceKind::wake_up:
                waker_ = r.other;
                return;
            case TraceKind::fork:
                ++tasks_;
                pids_[r.task] = r.ordinal;
                end_unfinished_line();
                text_ += fmt::format("strace: Process {} attached\n", r.ordinal);
                return;
            case TraceKind::exit:
                begin_line(r.task, r.time);
                text_ += line_ + "+++ exited with 0 +++\n";
                --tasks_;
                return;
            case TraceKind::schedule:
                if (waiting_.erase(r.task) > 0) resume(r.task, r.time);
                return;
            default:
                return;
        }
    }

    std::string finish() {
        end_unfinished_line();
        return std::move(text_);
    }

  private:
    void begin_line(TaskId p, Nanos now) {
        end_unfinished_line();
        const std::int64_t us = now / 1us, s = us / 1'000'000;
        line_ = tasks_ > 1 ? fmt::format("[pid {:5}] ", pids_[p]) : "";
        line_ += fmt::format("{:02}:{:02}:{:02}.{:06} ", s / 3600 % 24, s / 60 % 60, s % 60, us % 1'000'000);
    }

    // Ends the last line with "<unfinished ...>" if its call is in progress, because another line follows.
    void end_unfinished_line() {
        if (open_ == kNoTask) return;
        text_ += line_ + " <unfinished ...>\n";
        open_ = kNoTask;
    }

    // Ends the last line with the result of the call, in column 40 or later.
    void end_line_with_result(const char* result) {
        text_ += fmt::format("{:<39} = {}\n", line_ + ")", result);
        open_ = kNoTask;
    }

    void resume(TaskId p, Nanos now) {
        if (open_ != p) {
            begin_line(p, now);
            line_ += "<... futex resumed>";
        }
        end_line_with_result("0");
    }

    const Scenario& scenario_;
    std::string text_, line_;
    TaskId open_ = kNoTask;            // the task whose call in line_ is in progress
    TaskId waker_ = kNoTask;           // the task that last woke a task; reset by on_call()
    std::set<TaskId> waiting_;         // tasks that sleep in futex()
    std::vector<std::uint32_t> pids_;  // by TaskId
    std::uint32_t tasks_;              // live tasks
};

std::string print_strace_c(const ViewedRun& run) {
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    CallSummary summary(run.scenario);
    replay_system_calls(
        run, engine, m, [&](const TraceRecord& r) { summary.on_record(r); },
        [&](const SystemCall& c) { summary.on_call(c); });
    return summary.to_text();
}

std::string print_strace_f(const ViewedRun& run) {
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    FutexLog log(run.scenario, m);
    replay_system_calls(
        run, engine, m, [&](const TraceRecord& r) { log.on_record(r); },
        [&](const SystemCall& c) { log.on_call(c); });
    return log.finish();
}

}  // namespace

View strace_c_view() { return {"strace-c", {}, print_strace_c}; }
View strace_f_view() { return {"strace-f", {}, print_strace_f}; }

}  // namespace sim::views
