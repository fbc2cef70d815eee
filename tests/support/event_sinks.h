// Event sinks for tests.
#pragma once

#include <fmt/format.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "sim/base/text.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

// Checks the received events against the contract of EventSink.
class ContractSink : public EventSink {
  public:
    void begin(const RunInfo& info) override {
        need(!has_begun_, "begins twice");
        has_begun_ = true;
        cpus_ = info.cpus;
        last_ = info.begin;
        need(info.cpus <= kMaxCpus && info.hz > 0 && info.begin >= Nanos{}, "a machine that cannot be");
        need(is_safe_to_show(info.title) && is_safe_to_show(info.policy), "text that is not shown");
        to_json(info);
    }
    void event(const SchedEvent& e, const Threads& threads) override {
        need(has_begun_ && !has_ended_, "an event outside");
        need(e.time >= last_, "time goes backwards");
        last_ = e.time;
        need(e.cpu < kMaxCpus && (cpus_ == 0 || e.cpu < cpus_), "a CPU that there is not");
        need(e.current < threads.size() && e.thread < threads.size(), "a thread that there is not");
        need(e.target < kMaxCpus, "a target that there is not");
        if (!failure.empty()) return;
        need(current_[e.cpu] == e.current, "another one has the CPU");
        need(threads[kIdleThread].pid == 0, "the idle task has a pid");
        for (const ThreadId id : {e.current, e.thread}) {
            need(threads[id].pid >= 0 && (id == kIdleThread) == (threads[id].pid == 0),
                 "a pid that cannot be");
            need(is_safe_to_show(threads[id].name), "a name that is not shown");
        }
        if (e.kind == EventKind::sched_switch) {
            need(e.current != e.thread, "a switch to itself");
            for (const ThreadId other : current_)
                need(other != e.thread || other == kIdleThread, "a thread with two CPUs");
            current_[e.cpu] = e.thread;
            ++switches;
        }
        if (e.kind == EventKind::work_begin) ++work_[e.cpu];
        if (e.kind == EventKind::work_end) need(work_[e.cpu]-- > 0, "more ends than begins");
        ++events;
    }
    void end(Nanos now) override {
        need(has_begun_ && !has_ended_, "ends twice");
        has_ended_ = true;
        need(now >= last_, "ends before its last event");
        last_ = now;
        for (const ThreadId id : current_) need(id == kIdleThread, "somebody has a CPU at the end");
        for (const std::int64_t depth : work_) need(depth == 0, "work goes on at the end");
    }

    std::string failure;  // first violation; empty: none
    std::uint64_t events = 0, switches = 0;
    Nanos last() const { return last_; }

  private:
    void need(bool holds, const char* otherwise) {
        if (!holds && failure.empty())
            failure = fmt::format("{} at {}, after {} events", otherwise, last_.count(), events);
    }

    bool has_begun_ = false, has_ended_ = false;
    std::uint32_t cpus_ = 0;
    Nanos last_{};
    std::array<ThreadId, kMaxCpus> current_{};
    std::array<std::int64_t, kMaxCpus> work_{};
};

// "A:5" for thread A with pid 5, "-" for the idle task.
inline std::string told_thread(ThreadId id, const Threads& threads) {
    return id == kIdleThread ? "-" : fmt::format("{}:{}", threads[id].name, threads[id].pid);
}

// Formats an event as "1000 0 A:5 sched_wakeup B:6 1 in_interrupt": time, CPU, current thread, event, its own
// fields.
class EventTextSink final : public ContractSink {
  public:
    void begin(const RunInfo& info) override {
        ContractSink::begin(info);
        run = info;
    }
    void event(const SchedEvent& e, const Threads& threads) override {
        ContractSink::event(e, threads);
        std::string line = fmt::format("{} {} {} {}", e.time.count(), e.cpu, told_thread(e.current, threads),
                                       to_string(e.kind));
        switch (e.kind) {
            case EventKind::sched_switch:
                line += fmt::format(" {} {}", prev_state_text(e.state), told_thread(e.thread, threads));
                break;
            case EventKind::waking:
            case EventKind::wakeup:
            case EventKind::wakeup_new:
                line += fmt::format(" {} {}{}", told_thread(e.thread, threads), e.target,
                                    e.in_interrupt ? " in_interrupt" : "");
                break;
            case EventKind::migrate:
                line += fmt::format(" {} {} {}", told_thread(e.thread, threads), e.value, e.target);
                break;
            case EventKind::fork:
                line += " " + told_thread(e.thread, threads);
                break;
            case EventKind::recalculation:
            case EventKind::queue_length:
                line += fmt::format(" {}", e.value);
                break;
            case EventKind::work_begin:
                line += fmt::format(" {}", e.what);
                break;
            case EventKind::exec:
            case EventKind::exit:
            case EventKind::yield:
            case EventKind::work_end:
                break;
        }
        lines.push_back(std::move(line));
        all = threads;
    }

    RunInfo run{};
    std::vector<std::string> lines;
    Threads all;
};

}  // namespace sim::trace_io
