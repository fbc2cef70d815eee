#include "sim/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "sim/base/main_wrapper.h"

namespace sim::cli {

Limits limits_of(const Scenario& scenario) { return {.until = scenario.until.value_or(kHorizon - 1ns)}; }

Progress::Progress(const Machine& m, const Limits& limits, bool quiet)
    : on_(!quiet && isatty(STDERR_FILENO) != 0),
      from_(m.globals().now),
      until_(limits.until),
      begin_(Clock::now()),
      next_(begin_ + std::chrono::milliseconds(500)) {}

Progress::~Progress() {
    if (shown_) print_error("\r                                                            \r");
}

void Progress::show(const Machine& m) {
    if (!on_) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    shown_ = true;
    const double done = static_cast<double>((m.globals().now - from_).count()) /
                        static_cast<double>((until_ - from_).count());
    const double spent = std::chrono::duration<double>(now - begin_).count();
    print_error(fmt::format("\r{:3.0f} %  {:.1f} M switches, {:.0f} s left ", done * 100,
                            static_cast<double>(m.globals().switches) / 1e6,
                            done > 0 ? spent / done - spent : 0.0));
}

StopReason run_with_progress(const Engine& engine, Machine& m, const Limits& limits, const Sinks& sinks,
                             bool quiet) {
    Progress progress(m, limits, quiet);
    if (!progress.is_on()) {
        const StopReason reason = engine.run(m, limits, sinks);
        engine.check(m);
        return reason;
    }

    constexpr std::uint64_t kSlice = 1 << 20;  // decisions; about 50 ms
    for (;;) {
        Limits slice = limits;
        slice.decisions = std::min(limits.decisions, m.globals().decisions + kSlice);
        const StopReason reason = engine.run(m, slice, sinks);
        engine.check(m);
        if (reason != StopReason::decision_limit || m.globals().decisions >= limits.decisions) return reason;
        progress.show(m);
    }
}

}  // namespace sim::cli
