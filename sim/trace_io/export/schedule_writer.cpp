// Writes the CPU intervals of all tasks as JSON: one interval per line, with its start and length, in the
// order in which they end.
#include <fmt/format.h>

#include <vector>

#include "sim/base/append.h"
#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/export/text_output.h"

namespace sim::trace_io {
namespace {

class ScheduleWriter final : public EventSink {
  public:
    explicit ScheduleWriter(Output output) : out_(std::move(output)) {}

    void begin(const RunInfo& info) override {
        since_.assign(info.cpus, info.begin);
        out_.text = fmt::format(
            "{{\"format\": \"switchyard-schedule/1\", \"run\": {},\n"
            " \"columns\": [\"cpu\", \"pid\", \"task\", \"begin_ns\", \"ns\", \"left\"],\n"
            " \"pieces\": [",
            to_json(info));
    }

    void event(const SchedEvent& e, const Threads& threads) override {
        if (e.kind != EventKind::sched_switch) return;
        write_interval(e, threads);
        since_[e.cpu] = e.time;
    }

    void end(Nanos now) override {
        out_.text += fmt::format("\n ],\n \"end_ns\": {}}}\n", now.count());
        out_.flush();
    }

  private:
    // Writes a CPU interval. Intervals of the idle task are omitted: they are the gaps between the intervals
    // of other tasks.
    void write_interval(const SchedEvent& e, const Threads& threads) {
        if (e.current == kIdleThread || e.time == since_[e.cpu]) return;
        append(out_.text, "{}\n  [{}, {}, {}, {}, {}, \"{}\"]", has_pieces_ ? "," : "", e.cpu,
               threads[e.current].pid, json_string_of(threads[e.current].name), since_[e.cpu].count(),
               (e.time - since_[e.cpu]).count(), prev_state_text(e.state));
        has_pieces_ = true;
        out_.flush_if_long();
    }

    TextOutput out_;
    std::vector<Nanos> since_;  // by CPU
    bool has_pieces_ = false;
};

}  // namespace

ExportFormat schedule_format() {
    return {.name = "schedule",
            .ending = "json",
            .summary = "JSON of the intervals in which tasks ran on each CPU, for your own programs",
            .make = make_writer<ScheduleWriter>};
}

}  // namespace sim::trace_io
