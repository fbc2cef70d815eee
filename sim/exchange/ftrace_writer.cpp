// The text of /sys/kernel/tracing/trace, as Linux 6.1 prints it: kernel/trace/trace_output.c,
// trace_print_context() and include/trace/events/sched.h. Times have all their nanoseconds, in nine digits.
//
// What the kernel cannot see stands in markers (tracing_mark_write) in the form of Android's atrace, which
// viewers draw: B and E around a stay in the kernel, C for a counter, I for an instant.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/exchange/formats.h"

namespace sim::exchange {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

class FtraceWriter final : public EventSink {
  public:
    explicit FtraceWriter(Output output) : output_(std::move(output)) {}

    void begin(const RunInfo& info) override {
        text_ = fmt::format(
            "# tracer: nop\n"
            "#\n"
            "# switchyard: {}\n"
            "#\n"
            "#           TASK-PID       TGID   CPU#  |||||  TIMESTAMP     FUNCTION\n"
            "#              | |           |      |   |||||     |             |\n",
            to_json(info));
        flush();
    }

    void event(const SchedEvent& e, const Threads& threads) override {
        const Thread& current = threads[e.current];
        const Thread& thread = threads[e.thread];
        const auto out = std::back_inserter(text_);
        if (e.current == kIdleThread)
            fmt::format_to(out, "{:>16}-{:<7} (-------)", "<idle>", 0);
        else
            fmt::format_to(out, "{:>16}-{:<7} ({:>7})", word(current.name), current.pid, current.tgid);
        // irqs-off, need-resched, hardirq, preempt-depth, migrate-disable
        const char* const flags = e.in_interrupt ? "d.h.."
                                  : e.kind == EventKind::sched_switch && e.state == PrevState::preempted
                                      ? "dN..."
                                      : "d....";
        fmt::format_to(out, " [{:03}] {} {:5}.{:09}: ", e.cpu, flags, e.time.count() / kSecond,
                       e.time.count() % kSecond);
        switch (e.kind) {
            case EventKind::sched_switch:
                fmt::format_to(out,
                               "sched_switch: prev_comm={} prev_pid={} prev_prio={} prev_state={} ==> "
                               "next_comm={} next_pid={} next_prio={}",
                               word(comm(e.current, threads, e.cpu)), current.pid, current.prio,
                               to_letter(e.state), word(comm(e.thread, threads, e.cpu)), thread.pid,
                               thread.prio);
                break;
            case EventKind::waking:
                wake(out, "sched_waking", thread, e.target);
                break;
            case EventKind::wakeup:
                wake(out, "sched_wakeup", thread, e.target);
                break;
            case EventKind::wakeup_new:
                wake(out, "sched_wakeup_new", thread, e.target);
                break;
            case EventKind::migrate:
                fmt::format_to(out, "sched_migrate_task: comm={} pid={} prio={} orig_cpu={} dest_cpu={}",
                               word(thread.name), thread.pid, thread.prio, e.value, e.target);
                break;
            case EventKind::fork:
                fmt::format_to(out, "sched_process_fork: comm={} pid={} child_comm={} child_pid={}",
                               word(current.name), current.pid, word(thread.name), thread.pid);
                break;
            case EventKind::exec:
                fmt::format_to(out, "sched_process_exec: filename={} pid={} old_pid={}", word(current.name),
                               current.pid, current.pid);
                break;
            case EventKind::exit:
                fmt::format_to(out, "sched_process_exit: comm={} pid={} prio={}", word(current.name),
                               current.pid, current.prio);
                break;
            case EventKind::yield:
                fmt::format_to(out, "tracing_mark_write: I|{}|sched_yield", current.tgid);
                break;
            case EventKind::refill:
                fmt::format_to(out, "tracing_mark_write: I|{}|refill of {} counters", current.tgid, e.value);
                break;
            case EventKind::work_begin:
                fmt::format_to(out, "tracing_mark_write: B|{}|{}", current.tgid, e.what);
                break;
            case EventKind::work_end:
                fmt::format_to(out, "tracing_mark_write: E|{}", current.tgid);
                break;
            case EventKind::queue_length:
                fmt::format_to(out, "tracing_mark_write: C|0|nr_running|{}", e.value);
                break;
        }
        text_ += '\n';
        constexpr std::size_t kEnough = 1 << 16;
        if (text_.size() >= kEnough) flush();
    }

    void end(Nanos) override { flush(); }

  private:
    using Out = std::back_insert_iterator<std::string>;

    // Readers split at blanks and at '='.
    static std::string word(std::string name) {
        std::replace_if(
            name.begin(), name.end(), [](char c) { return c == ' ' || c == '='; }, '_');
        return name;
    }
    static void wake(Out out, const char* event, const Thread& thread, CpuId target) {
        fmt::format_to(out, "{}: comm={} pid={} prio={} target_cpu={:03}", event, word(thread.name),
                       thread.pid, thread.prio, target);
    }
    void flush() {
        output_(text_);
        text_.clear();
    }

    Output output_;
    std::string text_;
};

}  // namespace

Format ftrace_format() {
    return {.name = "ftrace",
            .ending = "txt",
            .summary = "the text of /sys/kernel/tracing/trace: Perfetto, trace tools, eyes",
            .make = [](Output output) -> std::unique_ptr<EventSink> {
                return std::make_unique<FtraceWriter>(std::move(output));
            }};
}

}  // namespace sim::exchange
