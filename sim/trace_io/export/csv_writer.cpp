// Writes all events as a table, for spreadsheets and data frames.
#include <fmt/format.h>

#include "sim/base/append.h"
#include "sim/base/csv.h"
#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/export/text_output.h"

namespace sim::trace_io {
namespace {

class CsvWriter final : public EventSink {
  public:
    explicit CsvWriter(Output output) : out_(std::move(output)) {}

    void begin(const RunInfo&) override {
        out_.text =
            "time_ns,cpu,event,pid,tgid,task,prio,state,other_pid,other_tgid,other,other_prio,interrupt,"
            "target_cpu,value,what\n";
    }

    void event(const SchedEvent& e, const Threads& threads) override {
        append(out_.text, "{},{},{},{}", e.time.count(), e.cpu, to_string(e.kind),
               thread_cells(e.current, threads, e.cpu));
        const bool is_switch = e.kind == EventKind::sched_switch;
        append(out_.text, ",{}", is_switch ? prev_state_text(e.state) : "");
        switch (e.kind) {
            case EventKind::sched_switch:
            case EventKind::fork:
                append(out_.text, ",{},,,,", thread_cells(e.thread, threads, e.cpu));
                break;
            case EventKind::waking:
            case EventKind::wakeup:
            case EventKind::wakeup_new:
                append(out_.text, ",{},{},{},,", thread_cells(e.thread, threads, e.cpu),
                       e.in_interrupt ? "yes" : "no", e.target);
                break;
            case EventKind::migrate:
                append(out_.text, ",{},,{},{},", thread_cells(e.thread, threads, e.cpu), e.target, e.value);
                break;
            case EventKind::recalculation:
            case EventKind::queue_length:
                append(out_.text, ",,,,,,,{},", e.value);
                break;
            case EventKind::work_begin:
                append(out_.text, ",,,,,,,,{}", e.what);
                break;
            case EventKind::exec:
            case EventKind::exit:
            case EventKind::yield:
            case EventKind::work_end:
                out_.text += ",,,,,,,,";
                break;
        }
        out_.text += '\n';
        out_.flush_if_long();
    }

    void end(Nanos) override { out_.flush(); }

  private:
    static std::string thread_cells(ThreadId id, const Threads& threads, CpuId cpu) {
        const Thread& t = threads[id];
        return fmt::format("{},{},{},{}", t.pid, t.tgid, quote_untrusted_csv_cell(comm(id, threads, cpu)),
                           t.prio);
    }

    TextOutput out_;
};

}  // namespace

ExportFormat csv_format() {
    return {.name = "csv",
            .ending = "csv",
            .summary = "table of all events, for spreadsheets and data frames",
            .make = make_writer<CsvWriter>};
}

}  // namespace sim::trace_io
