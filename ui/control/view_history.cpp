#include "ui/control/view_history.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using sim::Nanos;
using sim::StepKind;

constexpr Nanos kNarrowest{50};               // what the timeline can be zoomed to
constexpr Nanos kUnknownEnd{10'000'000'000};  // shown of a run whose end nobody knows
constexpr std::size_t kMostViews = 100;       // remembered

Nanos rounded(double n) { return Nanos{static_cast<std::int64_t>(std::llround(n))}; }
double in_double(Nanos n) { return static_cast<double>(n.count()); }

}  // namespace

TimeRange ViewHistory::within_run(TimeRange range) const {
    const Nanos whole =
        std::max({desk_.a().end(),
                  desk_.a().recording().is_complete()              ? Nanos{}
                  : desk_.a().recording().until() == sim::kHorizon ? kUnknownEnd
                                                                   : desk_.a().recording().until(),
                  kNarrowest});
    const Nanos length = std::clamp(range.length(), kNarrowest, std::max(whole, kNarrowest));
    range.begin = std::clamp(range.begin, Nanos{}, whole - length);
    range.end = range.begin + length;
    return range;
}

void ViewHistory::show(TimeRange range) {
    if (!desk_.is_open()) return;
    range = within_run(range);
    if (range == desk_.view.shown) {
        home_ = range;
        return;
    }
    // Many small changes in a row are one: zooming by the wheel, panning by a key held down.
    const auto alike = [&range](const TimeRange& other) {
        return range.length() < 4 * other.length() && other.length() < 4 * range.length() &&
               range.begin < other.end && other.begin < range.end;
    };
    const bool small = !back_.empty() && alike(back_.back()) && alike(desk_.view.shown);
    if (!small && desk_.view.shown.length() > Nanos{}) {
        back_.push_back(desk_.view.shown);
        if (back_.size() > kMostViews) back_.erase(back_.begin());
    }
    forward_.clear();
    desk_.view.shown = home_ = range;
}

void ViewHistory::zoom(double factor, Nanos anchor) {
    const TimeRange& old = desk_.view.shown;
    const double length = in_double(old.length()) / factor;
    const double share = in_double(anchor - old.begin) / std::max(1.0, in_double(old.length()));
    const Nanos begin = anchor - rounded(length * share);
    show({begin, begin + rounded(length)});
}

void ViewHistory::pan(double widths) {
    const Nanos by = rounded(in_double(desk_.view.shown.length()) * widths);
    show({desk_.view.shown.begin + by, desk_.view.shown.end + by});
}

void ViewHistory::fit() {
    if (!desk_.is_open()) return;
    const Nanos until = desk_.a().recording().until();
    show({Nanos{}, desk_.a().recording().is_complete() || until == sim::kHorizon ? desk_.a().end() : until});
}

void ViewHistory::fit_selection() {
    if (desk_.view.selection)
        show(*desk_.view.selection);
    else if (desk_.view.cursor_a && desk_.view.cursor_b)
        show({std::min(*desk_.view.cursor_a, *desk_.view.cursor_b),
              std::max(*desk_.view.cursor_a, *desk_.view.cursor_b)});
    else
        desk_.say("Nothing is selected: drag over the timeline first.");
}

void ViewHistory::show_position() {
    if (desk_.is_open()) show(around_position());
}

TimeRange ViewHistory::around_position() const {
    constexpr std::uint64_t kBefore = 7, kAfter = 5;
    const std::uint64_t n = desk_.a().session().machine().globals().switches;
    const Nanos now = desk_.a().now();
    sim::Moment moment = desk_.a().recording().beginning();
    Nanos begin{}, end = now;
    if (n > kBefore && desk_.a().recording().find(StepKind::context_switch, n - kBefore, moment))
        begin = moment.machine.globals().now;
    const std::uint64_t last = desk_.a().recording().tip().machine.globals().switches;
    if (last > n && desk_.a().recording().find(StepKind::context_switch, std::min(last, n + kAfter), moment))
        end = moment.machine.globals().now;
    const Nanos margin = std::max(Nanos{1000}, (end - begin) / 20);
    return within_run({begin - margin, end + margin});
}

Nanos ViewHistory::focus() const {
    if (desk_.is_open() && desk_.view.shown.contains(desk_.a().now())) return desk_.a().now();
    return desk_.view.shown.begin + desk_.view.shown.length() / 2;
}

void ViewHistory::keep_in_view() {
    if (home_.length() <= Nanos{}) home_ = desk_.view.shown;
    const Nanos now = desk_.a().now();
    const Nanos length = home_.length();
    const Nanos page = std::max(Nanos{1}, length * 17 / 20);
    if (home_.begin <= now && now <= home_.end) {
        desk_.view.shown = home_;
    } else if (now > home_.end) {
        const Nanos begin = home_.end + (now - home_.end) / page * page - length / 10;
        desk_.view.shown = within_run({begin, begin + length});
    } else {
        const Nanos end = home_.begin - (home_.begin - now) / page * page + length / 10;
        desk_.view.shown = within_run({end - length, end});
    }
}

void ViewHistory::glide_from(TimeRange range) {
    // From far away there would be nothing to follow.
    constexpr std::int64_t kFar = 1000;
    const TimeRange& to = desk_.view.shown;
    const auto far = [&](Nanos a, Nanos b) { return a / kFar > b; };
    const bool reaches =
        range.begin < to.end + to.length() * kFar && to.begin < range.end + range.length() * kFar;
    desk_.view.glide.reset();
    if (desk_.view.reduce_motion || range.length() <= Nanos{} || range == to || !reaches ||
        far(range.length(), to.length()) || far(to.length(), range.length()))
        return;
    desk_.view.glide = {.from = range, .to = to};
}

void ViewHistory::glide(double dt) {
    std::optional<Glide>& glide = desk_.view.glide;
    if (!glide) return;
    glide->seconds += dt;
    if (glide->seconds >= Glide::kSeconds || glide->to != desk_.view.shown) glide.reset();
}

void ViewHistory::back() {
    if (desk_.view.shown != home_ && home_.length() > Nanos{}) {
        // Paging is not remembered: back to what was chosen.
        forward_.push_back(desk_.view.shown);
        desk_.view.shown = home_;
        return;
    }
    if (back_.empty()) return;
    forward_.push_back(desk_.view.shown);
    desk_.view.shown = home_ = back_.back();
    back_.pop_back();
}

void ViewHistory::forward() {
    if (forward_.empty()) return;
    back_.push_back(desk_.view.shown);
    desk_.view.shown = home_ = forward_.back();
    forward_.pop_back();
}

}  // namespace ui
