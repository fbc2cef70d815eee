#include "ui/control/view_history.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using sim::Nanos;
using sim::StepEventKind;

constexpr Nanos kNarrowest{50};               // shortest visible range
constexpr Nanos kUnknownEnd{10'000'000'000};  // assumed length of a run whose end is unknown
constexpr std::size_t kMostViews = 100;       // largest number of recorded ranges

Nanos rounded(double n) { return Nanos{static_cast<std::int64_t>(std::llround(n))}; }
double as_double(Nanos n) { return static_cast<double>(n.count()); }

}  // namespace

TimeRange ViewHistory::clamped_to_run(TimeRange range) const {
    const Nanos whole =
        std::max({state_.a().end(),
                  state_.a().history().is_complete()                   ? Nanos{}
                  : state_.a().history().latest_end() == sim::kHorizon ? kUnknownEnd
                                                                       : state_.a().history().latest_end(),
                  kNarrowest});
    const Nanos length = std::clamp(range.length(), kNarrowest, std::max(whole, kNarrowest));
    range.begin = std::clamp(range.begin, Nanos{}, whole - length);
    range.end = range.begin + length;
    return range;
}

void ViewHistory::show(TimeRange range) {
    if (!state_.is_open()) return;
    range = clamped_to_run(range);
    if (range == state_.view.shown) {
        home_ = range;
        return;
    }
    // Successive small changes, such as those by the mouse wheel or by a held key, count as one change.
    const auto alike = [&range](const TimeRange& other) {
        return range.length() < 4 * other.length() && other.length() < 4 * range.length() &&
               range.begin < other.end && other.begin < range.end;
    };
    const bool small = !back_.empty() && alike(back_.back()) && alike(state_.view.shown);
    if (!small && state_.view.shown.length() > Nanos{}) {
        back_.push_back(state_.view.shown);
        if (back_.size() > kMostViews) back_.erase(back_.begin());
    }
    forward_.clear();
    state_.view.shown = home_ = range;
}

void ViewHistory::zoom(double factor, Nanos anchor) {
    const TimeRange& old = state_.view.shown;
    const double length = as_double(old.length()) / factor;
    const double share = as_double(anchor - old.begin) / std::max(1.0, as_double(old.length()));
    const Nanos begin = anchor - rounded(length * share);
    show({begin, begin + rounded(length)});
}

void ViewHistory::pan(double range_lengths) {
    const Nanos by = rounded(as_double(state_.view.shown.length()) * range_lengths);
    show({state_.view.shown.begin + by, state_.view.shown.end + by});
}

void ViewHistory::show_whole_run() {
    if (!state_.is_open()) return;
    const Nanos until = state_.a().history().latest_end();
    show({Nanos{}, state_.a().history().is_complete() || until == sim::kHorizon ? state_.a().end() : until});
}

void ViewHistory::fit_selection() {
    if (state_.view.selection)
        show(*state_.view.selection);
    else if (state_.view.cursor_a && state_.view.cursor_b)
        show({std::min(*state_.view.cursor_a, *state_.view.cursor_b),
              std::max(*state_.view.cursor_a, *state_.view.cursor_b)});
    else
        state_.say("Nothing is selected: drag over the timeline first.");
}

void ViewHistory::show_range_around_position() {
    if (state_.is_open()) show(range_around_position());
}

TimeRange ViewHistory::range_around_position() const {
    constexpr std::uint64_t kBefore = 7, kAfter = 5;
    const std::uint64_t n = state_.a().session().machine().globals().switches;
    const Nanos now = state_.a().now();
    sim::Moment moment = state_.a().history().beginning();
    Nanos begin{}, end = now;
    if (n > kBefore && state_.a().history().find_step(StepEventKind::context_switch, n - kBefore, moment))
        begin = moment.machine.globals().now;
    const std::uint64_t last = state_.a().history().simulated_end().machine.globals().switches;
    if (last > n &&
        state_.a().history().find_step(StepEventKind::context_switch, std::min(last, n + kAfter), moment))
        end = moment.machine.globals().now;
    const Nanos margin = std::max(Nanos{1000}, (end - begin) / 20);
    return clamped_to_run({begin - margin, end + margin});
}

Nanos ViewHistory::zoom_anchor() const {
    if (state_.is_open() && state_.view.shown.contains(state_.a().now())) return state_.a().now();
    return state_.view.shown.begin + state_.view.shown.length() / 2;
}

void ViewHistory::keep_position_visible() {
    if (home_.length() <= Nanos{}) home_ = state_.view.shown;
    const Nanos now = state_.a().now();
    const Nanos length = home_.length();
    const Nanos page = std::max(Nanos{1}, length * 17 / 20);
    if (home_.begin <= now && now <= home_.end) {
        state_.view.shown = home_;
    } else if (now > home_.end) {
        const Nanos begin = home_.end + (now - home_.end) / page * page - length / 10;
        state_.view.shown = clamped_to_run({begin, begin + length});
    } else {
        const Nanos end = home_.begin - (home_.begin - now) / page * page + length / 10;
        state_.view.shown = clamped_to_run({end - length, end});
    }
}

void ViewHistory::animate_range_from(TimeRange range) {
    // A very large move is not animated, because a user could not follow the animation. kMostLengths limits
    // two ratios: the distance of the ranges to the length of the earlier one, and the longer to the shorter
    // length.
    constexpr std::int64_t kMostLengths = 1000;
    const TimeRange& to = state_.view.shown;
    const auto far = [&](Nanos a, Nanos b) { return a / kMostLengths > b; };
    const bool reaches = range.begin < to.end + to.length() * kMostLengths &&
                         to.begin < range.end + range.length() * kMostLengths;
    state_.view.glide.reset();
    if (state_.view.reduce_motion || range.length() <= Nanos{} || range == to || !reaches ||
        far(range.length(), to.length()) || far(to.length(), range.length()))
        return;
    state_.view.glide = {.from = range, .to = to};
}

void ViewHistory::advance_range_animation(double dt) {
    std::optional<RangeAnimation>& glide = state_.view.glide;
    if (!glide) return;
    glide->seconds += dt;
    if (glide->seconds >= RangeAnimation::kSeconds || glide->to != state_.view.shown) glide.reset();
}

void ViewHistory::back() {
    if (state_.view.shown != home_ && home_.length() > Nanos{}) {
        // keep_position_visible() has moved the visible range, which records nothing in back_. So this step
        // back leads to home_, the last visible range that another function set.
        forward_.push_back(state_.view.shown);
        state_.view.shown = home_;
        return;
    }
    if (back_.empty()) return;
    forward_.push_back(state_.view.shown);
    state_.view.shown = home_ = back_.back();
    back_.pop_back();
}

void ViewHistory::forward() {
    if (forward_.empty()) return;
    back_.push_back(state_.view.shown);
    state_.view.shown = home_ = forward_.back();
    forward_.pop_back();
}

}  // namespace ui
