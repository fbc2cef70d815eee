#include "ui/view/yield_comparison.h"

#include <algorithm>

namespace ui {
namespace {

YieldComparison::RunYields lane_of(const Run& run) {
    constexpr std::uint64_t kMostYieldEvents = 2'000'000, kEventsPerPart = 4'096;
    YieldComparison::RunYields lane;
    sim::Moment moment = run.history().beginning();
    for (std::uint64_t events = 0;
         events < kMostYieldEvents && lane.yields.size() < YieldComparison::kYields;) {
        const std::uint64_t before = moment.machine.globals().events;
        sim::Trace trace;
        events += kEventsPerPart;
        run.history().advance(
            moment, {.until = run.history().latest_end(), .events = before + kEventsPerPart}, &trace);
        for (const sim::TraceRecord& record : trace.records)
            if (record.kind == sim::TraceKind::yield && lane.yields.size() < YieldComparison::kYields)
                lane.yields.push_back(record.time);
        if (moment.machine.globals().events == before) break;  // the run is over
    }
    if (lane.yields.size() < YieldComparison::kYields) lane.yields.clear();
    return lane;
}

}  // namespace

sim::Nanos YieldComparison::end() const {
    sim::Nanos latest{};
    for (const RunYields& lane : lanes)
        if (!lane.yields.empty()) latest = std::max(latest, lane.yields.back());
    return latest;
}

YieldComparison yield_comparison(const Run& a, const Run& b) { return {{lane_of(a), lane_of(b)}}; }

}  // namespace ui
