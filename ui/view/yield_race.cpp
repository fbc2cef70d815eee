#include "ui/view/yield_race.h"

#include <algorithm>

namespace ui {
namespace {

YieldRace::Lane lane_of(const Run& run) {
    constexpr std::uint64_t kMostYieldEvents = 2'000'000, kEventsPerPart = 4'096;
    YieldRace::Lane lane;
    sim::Moment moment = run.history().beginning();
    for (std::uint64_t events = 0; events < kMostYieldEvents && lane.yields.size() < YieldRace::kYields;) {
        const std::uint64_t before = moment.machine.globals().events;
        sim::Trace trace;
        events += kEventsPerPart;
        run.history().advance(moment, {.until = run.history().until(), .events = before + kEventsPerPart},
                              &trace);
        for (const sim::TraceRecord& record : trace.records)
            if (record.kind == sim::TraceKind::yield && lane.yields.size() < YieldRace::kYields)
                lane.yields.push_back(record.time);
        if (moment.machine.globals().events == before) break;  // the run is over
    }
    if (lane.yields.size() < YieldRace::kYields) lane.yields.clear();
    return lane;
}

}  // namespace

sim::Nanos YieldRace::end() const {
    sim::Nanos latest{};
    for (const Lane& lane : lanes)
        if (!lane.yields.empty()) latest = std::max(latest, lane.yields.back());
    return latest;
}

YieldRace yield_race(const Run& a, const Run& b) { return {{lane_of(a), lane_of(b)}}; }

}  // namespace ui
