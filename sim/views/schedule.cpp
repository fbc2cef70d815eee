// The start and length of each segment in which a CPU ran one task, as CSV.
#include <fmt/format.h>

#include "sim/base/csv.h"
#include "sim/base/human_text.h"
#include "sim/lab/follow_run.h"
#include "sim/replay/run_segments.h"
#include "sim/views/views.h"

namespace sim::views {
namespace {

constexpr std::size_t kMostSegments = 1'000'000;  // one row per segment; the text takes some tens of MB

std::string print_schedule(const ViewedRun& run) {
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    lab::RunProgressReporter reported(run.progress, m, run.limits);
    RunSegments segments(m);
    lab::run_and_visit_records(engine, m, run.limits, reported, [&](const TraceRecord& r) {
        segments.add_record(r);
        if (segments.count() > kMostSegments)
            throw ViewError(fmt::format(
                "--view schedule: the run reaches the limit of {1} segments at {0}; end the run earlier "
                "with --until or --switches",
                human_time(r.time), group_digits(kMostSegments)));
    });
    segments.finish(m.globals().now);
    std::string text = "cpu,task,begin_ns,ns\n";
    for (CpuId c = 0; c < segments.by_cpu().size(); ++c)
        for (const RunSegment& segment : segments.by_cpu()[c])
            text += fmt::format("{},{},{},{}\n", c, quote_untrusted_csv_cell(segment.name(run.scenario)),
                                segment.begin.count(), (segment.end - segment.begin).count());
    return text;
}

}  // namespace

View schedule_view() { return {"schedule", {}, print_schedule}; }

}  // namespace sim::views
