#include "sim/cli/progress.h"

#include <fmt/format.h>

#include "sim/base/main_wrapper.h"
#include "sim/os/streams.h"

namespace sim::cli {

TerminalProgress::TerminalProgress(bool quiet) : on_(!quiet && os::is_terminal(os::kStandardError)) {}

void TerminalProgress::start(const Machine& m, const Limits& limits) {
    from_ = m.globals().now;
    until_ = limits.until;
    begin_ = Clock::now();
    next_ = begin_ + std::chrono::milliseconds(500);
}

void TerminalProgress::show(const Machine& m) {
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

void TerminalProgress::end() {
    if (shown_) print_error("\r                                                            \r");
    shown_ = false;
}

}  // namespace sim::cli
