#include "sim/views/intervals.h"
#include "sim/lab/follow_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::views {

void for_each_interval(const ViewedRun& run, const std::function<void(const ReportInterval&)>& report) {
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    lab::RunProgressReporter reported(run.progress, m, run.limits);
    Statistics now(run.scenario.shape);
    Sample sample_before;
    for (Nanos from{}; from < run.limits.until; from = m.globals().now) {
        Limits slice = run.limits;
        slice.until = std::min(run.limits.until, from + run.interval);
        engine.run(m, slice, {.statistics = &now});
        engine.throw_if_policy_failed(m);
        reported.show(m);
        if (m.globals().now == from) break;
        const Sample sample = sample_of(run.scenario, now, m);
        report({m, now, sample_before, sample});
        sample_before = sample;
        if (m.globals().is_stopped || m.globals().switches >= run.limits.switches) break;
    }
}

double per_second(std::uint64_t count, const Sample& before, const Sample& after) {
    return static_cast<double>(count) * 1e9 / static_cast<double>((after.time - before.time).count());
}

std::string time_of_day(Nanos now) {
    const std::int64_t seconds = now / 1s;
    const std::int64_t hour = seconds / 3600 % 24;
    return fmt::format("{:02}:{:02}:{:02} {}", hour % 12 == 0 ? 12 : hour % 12, seconds / 60 % 60,
                       seconds % 60, hour < 12 ? "AM" : "PM");
}

}  // namespace sim::views
