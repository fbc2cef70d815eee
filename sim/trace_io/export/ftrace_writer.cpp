// Writes the text format of /sys/kernel/tracing/trace.
//
// Events that the kernel cannot see are markers (tracing_mark_write) in the form of Android's atrace, which
// viewers draw: B and E for kernel work, G and H for kernel work of an idle task, C for a counter, I for an
// instant event.
#include <fmt/format.h>

#include <map>
#include <vector>

#include "sim/base/append.h"
#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/export/ftrace_line.h"
#include "sim/trace_io/export/text_output.h"

namespace sim::trace_io {
namespace {

class FtraceWriter final : public EventSink {
  public:
    explicit FtraceWriter(Output output) : out_(std::move(output)) {}

    void begin(const RunInfo& info) override {
        out_.text = fmt::format(
            "# tracer: nop\n"
            "#\n"
            "# switchyard: {}\n"
            "#\n"
            "#           TASK-PID       TGID   CPU#  |||||  TIMESTAMP     FUNCTION\n"
            "#              | |           |      |   |||||     |             |\n",
            to_json(info));
        out_.flush();
    }

    void event(const SchedEvent& e, const Threads& threads) override {
        print_ftrace_context(out_.text, e, threads);
        if (has_tracepoint(e.kind))
            print_ftrace_event(out_.text, e, threads);
        else
            print_marker(e, threads[e.current].tgid);
        out_.text += '\n';
        out_.flush_if_long();
    }

    void end(Nanos) override { out_.flush(); }

  private:
    void print_marker(const SchedEvent& e, std::int32_t tgid) {
        out_.text += "tracing_mark_write: ";
        switch (e.kind) {
            case EventKind::yield:
                append(out_.text, "I|{}|sched_yield", tgid);
                break;
            case EventKind::recalculation:
                append(out_.text, "I|{}|recalculation of {} counters", tgid, e.value);
                break;
            case EventKind::work_begin:
                begin_work(e, tgid);
                break;
            case EventKind::work_end:
                end_work(e, tgid);
                break;
            case EventKind::queue_length:
                append(out_.text, "C|0|nr_running|{}", e.value);
                break;
            default:
                break;
        }
    }
    // Readers treat all idle tasks as one thread, but the idle tasks of several CPUs can do kernel work at
    // the same time. So each CPU has a track of its own for the kernel work of its idle task, and each
    // interval on such a track is printed with a number.
    void begin_work(const SchedEvent& e, std::int32_t tgid) {
        if (e.current != kIdleThread) {
            append(out_.text, "B|{}|{}", tgid, e.what);
            return;
        }
        std::vector<std::uint64_t>& open = idle_work_[e.cpu];
        open.push_back(++work_of_idle_);
        append(out_.text, "G|0|swapper/{}|{}|{}", e.cpu, e.what, open.back());
    }
    void end_work(const SchedEvent& e, std::int32_t tgid) {
        std::vector<std::uint64_t>& open = idle_work_[e.cpu];
        if (e.current != kIdleThread || open.empty()) {
            append(out_.text, "E|{}", tgid);
            return;
        }
        append(out_.text, "H|0|swapper/{}|{}", e.cpu, open.back());
        open.pop_back();
    }

    TextOutput out_;
    // Numbers of the open intervals by CPU, the outermost interval first.
    std::map<CpuId, std::vector<std::uint64_t>> idle_work_;
    std::uint64_t work_of_idle_ = 0;
};

}  // namespace

ExportFormat ftrace_format() {
    return {.name = "ftrace",
            .ending = "txt",
            .summary = "text of /sys/kernel/tracing/trace, for Perfetto, trace tools and readers",
            .make = make_writer<FtraceWriter>};
}

}  // namespace sim::trace_io
