#include "ui/app/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/base/place.h"
#include "sim/base/units.h"
#include "sim/base/whole_file.h"
#include "sim/replay/difference.h"
#include "sim/scenario/scenario_json.h"
#include "ui/app/transport.h"
#include "ui/platform/png.h"
#include "ui/view/prediction.h"

namespace ui {
namespace {

using Clock = std::chrono::steady_clock;
using sim::Nanos;
using sim::StepKind;

constexpr Nanos kNarrowest{50};               // what the timeline can be zoomed to
constexpr Nanos kUnknownEnd{10'000'000'000};  // shown of a run whose end nobody knows
constexpr std::size_t kMostViews = 100;       // remembered
constexpr double kFrame = 1.0 / 60;
constexpr std::chrono::milliseconds kMoment{25};  // a wait that does not disturb a drag
constexpr std::chrono::milliseconds kWait{150};   // a wait after a key or a click

Nanos to_nanos(double n) { return Nanos{static_cast<std::int64_t>(std::llround(n))}; }
double to_double(Nanos n) { return static_cast<double>(n.count()); }

// Everything that is wrong, a line each.
std::string words_of(const std::exception& problem) {
    const auto* all = dynamic_cast<const sim::ScenarioError*>(&problem);
    if (all == nullptr) return problem.what();
    std::string words;
    for (const sim::Problem& one : all->problems()) words += (words.empty() ? "" : "\n") + one.text();
    return words;
}

}  // namespace

App::App(Backend& backend) : backend_(backend), theme_(&themes().front()) {
    for (std::size_t i = 0; i < speeds().size(); ++i)
        if (speeds()[i].factor > 0 && speeds()[i].factor <= 1e-4) view_.speed = static_cast<int>(i);
    set_theme(theme_->name);
    model_.laboratory = &laboratory_;
}

App::~App() = default;

// --- opening ---

std::unique_ptr<Run> App::make_run(const std::string& policy) {
    return std::make_unique<Run>(
        std::make_unique<sim::Session>(scenario_, sim::make_policy(policy, scenario_->cpus)));
}

bool App::open(const std::string& path_or_name, const std::string& policy) {
    try {
        auto scenario = std::make_shared<const sim::Scenario>(sim::load_scenario(path_or_name));
        const sim::NamedPolicy named =
            sim::make_policy(policy.empty() ? scenario->policy : policy, scenario->cpus);
        auto run = std::make_unique<Run>(std::make_unique<sim::Session>(scenario, named));
        scenario_ = std::move(scenario);
        source_ = path_or_name;
        model_.scenario_name = scenario_->name;
        model_.sets.clear();
        model_.error.clear();
        model_.message.clear();
        laboratory_.clear();
        lab_puts_.clear();
        before_lab_.reset();
        model_.can_leave_lab_run = false;
        view_.laboratory = {};
        end_compare();
        adopt(std::move(run));
        view_.bookmarks.clear();
        view_.selection.reset();
        view_.cursor_a.reset();
        view_.cursor_b.reset();
        view_.task.reset();
        view_.drag = {};
        view_.prediction.reset();
        view_.tasks_of_b = false;
        view_.playing = false;
        view_.level = DepthLevel::time;
        view_.first_track = 0;
        back_.clear();
        forward_.clear();
        view_.stop.reset();
        if (scenario_->tour.empty() || !policy.empty())
            go_to_start();
        else
            go_to_stop(0);
        backend_.set_title(fmt::format("{} - Switchyard", scenario_->name));
        return true;
    } catch (const std::exception& problem) {
        model_.error = words_of(problem);
        return false;
    }
}

void App::adopt(std::unique_ptr<Run> run) {
    a_ = std::move(run);
    model_.a = a_.get();
    model_.difference.reset();
}

void App::go_to_start() {
    if (!a_) return;
    constexpr std::uint64_t kLook = 20'000;  // decisions
    sim::Session& session = a_->session();
    sim::Recording& recording = session.recording();
    const sim::Moment& tip = recording.tip();
    simulate(*a_, kWait,
             [&tip] { return tip.statistics.recalcs > 0 || tip.machine.globals().decisions >= kLook; });
    if (tip.statistics.recalcs > 0)
        session.seek(StepKind::recalculation, 1);
    else if (tip.machine.globals().switches > 0)
        session.seek(StepKind::context_switch, std::min<std::uint64_t>(2, tip.machine.globals().switches));
    recording.extend(64);
    show_position();
    back_.clear();
    moved();
}

void App::set_policy(const std::string& spec) {
    if (!a_) return;
    try {
        const Nanos now = wanted_.value_or(a_->now());
        adopt(make_run(spec));
        arrive(now, kWait);
    } catch (const sim::PolicyError& problem) {
        model_.error = words_of(problem);
    }
}

void App::set_value(const std::string& pointer, const std::string& value) {
    if (!a_) return;
    std::vector<std::string> sets = model_.sets;
    const std::string start = pointer + "=";
    std::erase_if(sets, [&](const std::string& set) { return set.starts_with(start); });
    sets.push_back(start + value);
    try {
        scenario_ = std::make_shared<const sim::Scenario>(sim::load_scenario(source_, sets));
        model_.sets = std::move(sets);
        run_anew();
    } catch (const std::exception& problem) {
        model_.error = words_of(problem);
    }
}

void App::reset_values() {
    if (!a_ || model_.sets.empty()) return;
    try {
        scenario_ = std::make_shared<const sim::Scenario>(sim::load_scenario(source_));
        model_.sets.clear();
        lab_puts_.clear();
        before_lab_.reset();
        model_.can_leave_lab_run = false;
        run_anew();
    } catch (const std::exception& problem) {
        model_.error = words_of(problem);
    }
}

// The scenario has changed: both runs of it, at the same instant.
void App::run_anew() {
    const Nanos now = wanted_.value_or(a_->now());
    const std::string policy = a_->recording().policy().spec();
    if (b_ && b_->recording().interventions().empty()) {
        b_ = make_run(b_policy_);
        model_.b = b_.get();
    } else if (b_) {
        // What was done to it was done to the scenario as it was.
        end_compare();
        say("The comparison has ended: the scenario is another one now.");
    }
    adopt(make_run(policy));
    arrive(now, kMoment);
}

// --- where we are ---

void App::moved() {
    view_.inside_step = 0;
    wanted_.reset();
    wanted_step_.reset();
    look_from_ = 0;
    ask_next();
    take_b_along();
}

// B stands where everything at A's instant has happened, as soon as it is simulated that far.
void App::take_b_along() {
    if (!a_ || !b_) return;
    b_->session().seek(a_->now() + Nanos{1});
    b_is_late_ = !b_->recording().is_complete() && b_->end() <= a_->now();
}

// Simulates on until there is enough, or until a person would notice the wait: the rest comes between frames.
void App::simulate(Run& run, std::chrono::milliseconds wait, const std::function<bool()>& enough) const {
    const Deadline deadline = patient_ ? Deadline::max() : Clock::now() + wait;
    while (!run.recording().is_complete() && !enough() && Clock::now() < deadline)
        run.session().recording().extend(64);
}

// To an instant that may not be simulated yet; then to the end of what is, and there as soon as it is.
void App::arrive(Nanos t, std::chrono::milliseconds wait) {
    simulate(*a_, wait, [&] { return a_->end() > t; });
    a_->session().seek(t);
    moved();
    if (!a_->recording().is_complete() && a_->end() <= t) wanted_ = t;
}

// What waited for the simulation, if it has come that far.
void App::catch_up() {
    if (!a_) return;
    if (wanted_ && (a_->recording().is_complete() || a_->end() > *wanted_)) {
        a_->session().seek(*wanted_);
        moved();
        keep_in_view();
    }
    if (wanted_step_) {
        const sim::Moment& tip = a_->recording().tip();
        const sim::Session& session = a_->session();
        if (a_->recording().is_complete() ||
            sim::count(*wanted_step_, tip.machine, tip.statistics) >
                sim::count(*wanted_step_, session.machine(), session.statistics()))
            step(*wanted_step_, 1);
    }
    if (b_ && b_is_late_ && (b_->recording().is_complete() || b_->end() > a_->now())) take_b_along();
}

void App::seek(Nanos t) {
    if (!a_) return;
    a_->session().seek(std::max(Nanos{}, t));
    moved();
}

void App::seek(StepKind kind, std::uint64_t n) {
    if (!a_ || !a_->session().seek(kind, n)) return;
    moved();
    keep_in_view();
}

bool App::go_to(const std::string& text) {
    if (!a_) return false;
    std::string why;
    const std::optional<sim::Place> place = sim::parse_place(text, why);
    if (!place) {
        say(why);
        return false;
    }
    return go_to(*place);
}

bool App::go_to(const sim::Place& place) {
    view_.playing = false;
    if (place.kind) {
        if (!a_->session().seek(place)) {
            say(fmt::format("There is no {} {} in this run.", to_string(*place.kind), grouped(place.n)));
            return false;
        }
        moved();
    } else {
        arrive(place.time, kWait);
    }
    show_position();
    if (wanted_) say(fmt::format("On the way to {}: it is being simulated.", instant(place.time)));
    return true;
}

void App::step(StepKind kind, int direction) {
    if (!a_) return;
    view_.playing = false;
    view_.prediction.reset();
    sim::Session& session = a_->session();
    if (direction > 0) {
        // The next of its kind may be hours away.
        const sim::Moment& tip = a_->recording().tip();
        const std::uint64_t next = sim::count(kind, session.machine(), session.statistics()) + 1;
        const auto is_there = [&] { return sim::count(kind, tip.machine, tip.statistics) >= next; };
        simulate(*a_, kWait, is_there);
        if (!a_->recording().is_complete() && !is_there()) {
            wanted_.reset();
            wanted_step_ = kind;
            say(fmt::format("On the way to the next {}: it is being simulated.", to_string(kind)));
            return;
        }
    }
    const bool went = direction > 0 ? session.step_forward(kind) : session.step_back(kind);
    if (!went)
        say(direction > 0 ? "This is the end of the run." : "This is the beginning of the run.");
    else
        model_.message.clear();
    moved();
    keep_in_view();
}

void App::step_here(int direction) {
    if (!a_) return;
    switch (view_.level) {
        case DepthLevel::time:
            step(StepKind::event, direction);
            return;
        case DepthLevel::context_switch:
            step(StepKind::context_switch, direction);
            return;
        case DepthLevel::inside:
            break;
    }
    // From the last line of one schedule() to the first of the next, and back.
    const Inside* inside = a_->inside();
    const std::size_t steps = inside == nullptr ? 0 : inside->steps.size();
    if (direction > 0 && view_.inside_step + 1 < steps)
        ++view_.inside_step;
    else if (direction < 0 && view_.inside_step > 0 && steps > 0)
        --view_.inside_step;
    else if (direction > 0)
        step(StepKind::decision, 1);
    else {
        step(StepKind::decision, -1);
        const Inside* before = a_->inside();
        if (before != nullptr && !before->steps.empty()) view_.inside_step = before->steps.size() - 1;
    }
}

void App::go_in() {
    if (view_.level == DepthLevel::time) {
        view_.level = DepthLevel::context_switch;
    } else if (view_.level == DepthLevel::context_switch && a_ && a_->inside() != nullptr) {
        view_.level = DepthLevel::inside;
        view_.inside_step = 0;
    }
}

void App::go_out() {
    if (overlay_ != Overlay::none)
        overlay_ = Overlay::none;
    else if (!model_.error.empty())
        dismiss_error();
    else if (view_.level == DepthLevel::inside)
        view_.level = DepthLevel::context_switch;
    else if (view_.level == DepthLevel::context_switch)
        view_.level = DepthLevel::time;
    else if (!view_.alone.empty())
        view_.alone.clear();
    else
        view_.selection.reset();
}

void App::seek_beginning() {
    if (!a_) return;
    a_->session().seek_beginning();
    moved();
    keep_in_view();
}

void App::seek_end() {
    if (!a_) return;
    a_->session().seek_end();
    moved();
    keep_in_view();
}

void App::set_playing(bool playing) {
    view_.playing = playing && a_;
    play_rest_ = 0;
    model_.message.clear();
}

void App::change_speed(int by) {
    view_.speed = std::clamp(view_.speed + by, 0, static_cast<int>(speeds().size()) - 1);
}

void App::play(double dt) {
    if (!view_.playing || !a_) return;
    const double factor = speeds()[static_cast<std::size_t>(view_.speed)].factor;
    const double whole = to_double(a_->recording().is_complete() ? a_->end() : std::max(a_->end(), Nanos{1}));
    // As fast as possible is the whole run in four seconds: nobody could follow more.
    play_rest_ += factor > 0 ? dt * factor * 1e9 : dt * whole / 4;
    const auto span = Nanos{static_cast<std::int64_t>(play_rest_)};
    if (span <= Nanos{}) return;
    play_rest_ -= to_double(span);
    const Nanos target = a_->now() + span;
    a_->session().seek(std::min(target, a_->end()));
    if (target >= a_->end() && a_->recording().is_complete()) {
        a_->session().seek_end();
        view_.playing = false;
        say("This is the end of the run.");
    }
    moved();
    keep_in_view();
}

// --- what is shown ---

TimeRange App::within_run(TimeRange range) const {
    const Nanos whole = std::max({a_->end(),
                                  a_->recording().is_complete()              ? Nanos{}
                                  : a_->recording().until() == sim::kHorizon ? kUnknownEnd
                                                                             : a_->recording().until(),
                                  kNarrowest});
    const Nanos length = std::clamp(range.length(), kNarrowest, std::max(whole, kNarrowest));
    range.begin = std::clamp(range.begin, Nanos{}, whole - length);
    range.end = range.begin + length;
    return range;
}

void App::show(TimeRange range) {
    if (!a_) return;
    range = within_run(range);
    if (range == view_.shown) {
        home_ = range;
        return;
    }
    // Many small changes in a row are one: zooming by the wheel, panning by a key held down.
    const auto alike = [&range](const TimeRange& other) {
        return range.length() < 4 * other.length() && other.length() < 4 * range.length() &&
               range.begin < other.end && other.begin < range.end;
    };
    const bool small = !back_.empty() && alike(back_.back()) && alike(view_.shown);
    if (!small && view_.shown.length() > Nanos{}) {
        back_.push_back(view_.shown);
        if (back_.size() > kMostViews) back_.erase(back_.begin());
    }
    forward_.clear();
    view_.shown = home_ = range;
}

void App::zoom(double factor, Nanos anchor) {
    const TimeRange& old = view_.shown;
    const double length = to_double(old.length()) / factor;
    const double share = to_double(anchor - old.begin) / std::max(1.0, to_double(old.length()));
    const Nanos begin = anchor - to_nanos(length * share);
    show({begin, begin + to_nanos(length)});
}

void App::pan(double widths) {
    const Nanos by = to_nanos(to_double(view_.shown.length()) * widths);
    show({view_.shown.begin + by, view_.shown.end + by});
}

void App::fit() {
    if (!a_) return;
    const Nanos until = a_->recording().until();
    show({Nanos{}, a_->recording().is_complete() || until == sim::kHorizon ? a_->end() : until});
}

void App::fit_selection() {
    if (view_.selection)
        show(*view_.selection);
    else if (view_.cursor_a && view_.cursor_b)
        show({std::min(*view_.cursor_a, *view_.cursor_b), std::max(*view_.cursor_a, *view_.cursor_b)});
    else
        say("Nothing is selected: drag over the timeline first.");
}

// Some switches before the position and some after it.
void App::show_position() {
    if (!a_) return;
    constexpr std::uint64_t kBefore = 7, kAfter = 5;
    const std::uint64_t n = a_->session().machine().globals().switches;
    const Nanos now = a_->now();
    sim::Moment moment = a_->recording().beginning();
    Nanos begin{}, end = now;
    if (n > kBefore && a_->recording().find(StepKind::context_switch, n - kBefore, moment))
        begin = moment.machine.globals().now;
    const std::uint64_t last = a_->recording().tip().machine.globals().switches;
    if (last > n && a_->recording().find(StepKind::context_switch, std::min(last, n + kAfter), moment))
        end = moment.machine.globals().now;
    const Nanos margin = std::max(Nanos{1000}, (end - begin) / 20);
    show({begin - margin, end + margin});
}

Nanos App::focus() const {
    if (a_ && view_.shown.contains(a_->now())) return a_->now();
    return view_.shown.begin + view_.shown.length() / 2;
}

// Pages on when the position has left what is shown. Which page it is depends on nothing but the position
// and the stretch of time that the person chose last: who steps back sees the same pages again.
void App::keep_in_view() {
    if (home_.length() <= Nanos{}) home_ = view_.shown;
    const Nanos now = a_->now();
    const Nanos length = home_.length();
    const Nanos page = std::max(Nanos{1}, length * 17 / 20);
    if (home_.begin <= now && now <= home_.end) {
        view_.shown = home_;
    } else if (now > home_.end) {
        const Nanos begin = home_.end + (now - home_.end) / page * page - length / 10;
        view_.shown = within_run({begin, begin + length});
    } else {
        const Nanos end = home_.begin - (home_.begin - now) / page * page + length / 10;
        view_.shown = within_run({end - length, end});
    }
}

void App::view_back() {
    if (view_.shown != home_ && home_.length() > Nanos{}) {
        // Paging is not remembered: back to what was chosen.
        forward_.push_back(view_.shown);
        view_.shown = home_;
        return;
    }
    if (back_.empty()) return;
    forward_.push_back(view_.shown);
    view_.shown = home_ = back_.back();
    back_.pop_back();
}

void App::view_forward() {
    if (forward_.empty()) return;
    back_.push_back(view_.shown);
    view_.shown = home_ = forward_.back();
    forward_.pop_back();
}

void App::next_cpu(int direction) {
    if (a_ == nullptr) return;
    const sim::CpuId cpus = a_->scenario().cpus;
    view_.cpu = (selected_cpu(*a_, view_) + (direction > 0 ? 1 : cpus - 1)) % cpus;
    say(cpus > 1 ? fmt::format("cpu{} is selected", view_.cpu)
                 : std::string("This machine has one CPU, cpu0."));
}

void App::next_task(int direction) {
    if (!a_) return;
    const sim::Machine& m = a_->session().machine();
    const sim::TaskId first = m.first_task(), end = m.globals().high_row;
    sim::TaskId p = view_.task.value_or(direction > 0 ? first - 1 : end);
    for (;;) {
        p = static_cast<sim::TaskId>(static_cast<int>(p) + direction);
        if (p < first || p >= end) return;
        if (m.is_live(p)) break;
    }
    view_.task = p;
}

void App::set_cursor(char which) {
    if (!a_) return;
    std::optional<Nanos>& cursor = which == 'a' ? view_.cursor_a : view_.cursor_b;
    if (cursor == a_->now())
        cursor.reset();
    else
        cursor = a_->now();
}

void App::show_tab(Tab tab) {
    view_.tab = tab;
    view_.narrow_tab = id_of(tab);
}

void App::toggle_bookmark() {
    if (!a_) return;
    const Nanos now = a_->now();
    if (std::erase_if(view_.bookmarks, [&](const Bookmark& b) { return b.time == now; }) > 0) return;
    add_bookmark(fmt::format("switch {}", grouped(a_->session().machine().globals().switches)));
}

void App::add_bookmark(const std::string& note) {
    const Nanos now = a_->now();
    Bookmark bookmark{now, note, a_->id(), a_->session().machine().globals().events};
    const auto place = std::upper_bound(view_.bookmarks.begin(), view_.bookmarks.end(), now,
                                        [](Nanos t, const Bookmark& b) { return t < b.time; });
    view_.bookmarks.insert(place, std::move(bookmark));
}

void App::next_bookmark(int direction) {
    if (!a_) return;
    const Nanos now = a_->now();
    const Bookmark* target = nullptr;
    for (const Bookmark& b : view_.bookmarks) {
        if (direction > 0 && b.time > now && target == nullptr) target = &b;
        if (direction < 0 && b.time < now) target = &b;
    }
    if (target == nullptr) {
        say(view_.bookmarks.empty()
                ? fmt::format("There are no bookmarks: {} puts one here.", key_of("mark.bookmark"))
                : "No bookmark that way.");
        return;
    }
    // At that instant there may be several places; in another run there is only the instant.
    sim::Session& session = a_->session();
    const bool found = target->run == a_->id() && target->events > 0 &&
                       session.seek(StepKind::event, target->events) && session.now() == target->time;
    if (!found) session.seek(target->time);
    moved();
    keep_in_view();
    say(fmt::format("Bookmark: {}", target->note));
}

// A stop says all of what is shown, so that stops can be gone to in any order.
void App::go_to_stop(std::size_t n) {
    const sim::TourStop& stop = scenario_->tour[n];
    try {
        const std::string policy = stop.policy.empty() ? scenario_->policy : stop.policy;
        if (a_->recording().policy().spec() != sim::make_policy(policy, scenario_->cpus).spec() ||
            !a_->recording().interventions().empty())
            adopt(make_run(policy));
        if (stop.compare.empty())
            end_compare();
        else
            compare_with(stop.compare);
    } catch (const sim::PolicyError& problem) {
        model_.error = words_of(problem);
        return;
    }
    model_.message.clear();
    view_.stop = n;
    view_.prediction.reset();
    if (!stop.pane.empty())
        for (std::size_t pane = 0; pane < std::size(sim::kTourPanes); ++pane)
            if (stop.pane == sim::kTourPanes[pane]) show_tab(static_cast<Tab>(pane));
    if (!go_to(stop.at)) return;
    view_.level = stop.look == sim::TourStop::Look::inside           ? DepthLevel::inside
                  : stop.look == sim::TourStop::Look::context_switch ? DepthLevel::context_switch
                                                                     : DepthLevel::time;
    if (stop.span > Nanos{}) show({a_->now() - stop.span / 2, a_->now() + stop.span / 2});
    const bool marked = std::any_of(view_.bookmarks.begin(), view_.bookmarks.end(),
                                    [&](const Bookmark& b) { return b.time == a_->now(); });
    if (!marked && !wanted_) add_bookmark(stop.title.empty() ? fmt::format("stop {}", n + 1) : stop.title);
}

void App::next_stop(int direction) {
    if (!a_) return;
    const std::size_t stops = scenario_->tour.size();
    if (stops == 0) {
        say("This scenario has no tour.");
        return;
    }
    view_.show_tour = true;
    if (!view_.stop)
        go_to_stop(0);
    else if (direction > 0 && *view_.stop + 1 < stops)
        go_to_stop(*view_.stop + 1);
    else if (direction < 0 && *view_.stop > 0)
        go_to_stop(*view_.stop - 1);
    else
        say(direction > 0 ? "This is the last stop of the tour." : "This is the first stop of the tour.");
}

void App::toggle_tour() {
    view_.show_tour = !view_.show_tour;
    if (a_ && scenario_->tour.empty()) say("This scenario has no tour.");
}

void App::copy_tour() {
    if (!a_) return;
    if (view_.bookmarks.empty()) {
        say(fmt::format("There are no bookmarks: {} puts one here.", key_of("mark.bookmark")));
        return;
    }
    std::string stops;
    for (const Bookmark& b : view_.bookmarks) {
        const std::string at =
            b.run == a_->id() && b.events > 0 ? fmt::format("event {}", b.events) : sim::format_time(b.time);
        stops += fmt::format("{}    {}", stops.empty() ? "" : ",\n",
                             nlohmann::ordered_json{{"at", at}, {"title", b.note}, {"caption", ""}}.dump());
    }
    backend_.set_clipboard(fmt::format("\"tour\": [\n{}\n]", stops));
    say(fmt::format("Copied {} stops, to be pasted into the scenario's file.", view_.bookmarks.size()));
}

void App::show_alone(const std::string& panel) { view_.alone = view_.alone == panel ? std::string{} : panel; }

void App::show_alone_here() {
    show_alone(view_.alone.empty() ? (hovered_pane_.empty() ? "timeline" : hovered_pane_) : view_.alone);
}

void App::set_theme(const std::string& name) {
    const Theme* theme = find_theme(name);
    if (theme == nullptr) return;
    theme_ = theme;
    set_scale(scale_);
}

void App::next_theme() {
    const std::size_t i = static_cast<std::size_t>(theme_ - themes().data());
    set_theme(themes()[(i + 1) % themes().size()].name);
    say("Theme: " + theme_->name);
}

void App::set_scale(float scale) {
    scale_ = std::clamp(scale, kSmallestScale, kLargestScale);
    backend_.set_scale(scale_ * theme_->text_scale);
}

void App::show_overlay(Overlay overlay) {
    overlay_ = overlay;
    overlay_opened_ = true;
    rebinding_.clear();
    if (overlay != Overlay::none) model_.error.clear();
}

void App::dismiss_error() {
    model_.error.clear();
    if (!a_ && overlay_ == Overlay::none) show_overlay(Overlay::picker);
}

void App::toggle_fullscreen() { backend_.set_fullscreen(!backend_.is_fullscreen()); }

// --- comparing and intervening ---

void App::compare_with(const std::string& policy) {
    if (!a_) return;
    try {
        b_ = make_run(policy);
        b_policy_ = policy;
        model_.b = b_.get();
        model_.difference.reset();
        look_from_ = 0;
        simulate(*b_, kWait, [this] { return b_->end() > a_->now(); });
        take_b_along();
    } catch (const sim::PolicyError& problem) {
        model_.error = words_of(problem);
    }
}

void App::what_if(const sim::Intervention& intervention) {
    if (!a_) return;
    const std::string why_not = sim::refusal(intervention, a_->session().machine());
    if (!why_not.empty()) {
        say(why_not);
        return;
    }
    try {
        b_ = std::make_unique<Run>(a_->session().what_if(intervention));
        b_policy_ = a_->recording().policy().spec();
        model_.b = b_.get();
        model_.difference.reset();
        look_from_ = 0;
        b_is_late_ = false;
        say("A goes on as it did; B is what would have happened.");
    } catch (const sim::PolicyError& problem) {
        model_.error = words_of(problem);
    }
}

void App::end_compare() {
    b_.reset();
    model_.b = nullptr;
    model_.difference.reset();
}

// The policy that makes the most telling comparison: another way to yield, or else another policy.
void App::toggle_compare() {
    if (!a_) return;
    if (b_) {
        end_compare();
        return;
    }
    const sim::NamedPolicy& policy = a_->recording().policy();
    std::string other = policy.name == "linux-2.0" ? "linux-2.0:yield=one_tick" : "linux-2.0";
    const auto yield = policy.options.find("yield");
    if (policy.name == "linux-2.0" && yield != policy.options.end() && yield->second == "one_tick")
        other = "linux-2.0";
    compare_with(other);
}

void App::next_difference() {
    if (!a_) return;
    if (!b_) {
        say(fmt::format("There is no second run: {} compares with another policy.", key_of("compare")));
        return;
    }
    constexpr std::uint64_t kMost = 2'000'000;  // decisions at a time, some 0.2 s when they are cheap
    constexpr std::uint64_t kPiece = 4096;
    const std::uint64_t from = std::max(a_->session().machine().globals().decisions + 1, look_from_);
    const Deadline deadline = patient_ ? Deadline::max() : Clock::now() + 2 * kWait;
    sim::DifferenceSearch search{.decision = {}, .next = from, .over = false};
    while (!search.decision && !search.over && search.next < from + kMost && Clock::now() < deadline) {
        for (Run* run : {a_.get(), b_.get()})
            simulate(*run, kWait, [&] {
                return run->recording().tip().machine.globals().decisions >= search.next + kPiece;
            });
        search = sim::find_difference(a_->recording(), b_->recording(), search.next,
                                      std::min(kPiece, from + kMost - search.next));
        if (search.over && (!a_->recording().is_complete() || !b_->recording().is_complete())) {
            search.over = false;
            if (!patient_) break;
        }
    }
    if (!search.decision) {
        model_.difference.reset();
        look_from_ = search.next;
        say(search.over ? fmt::format("No decision from {} to the end differs.", grouped(from))
            : search.next > from
                ? fmt::format("Decisions {} to {} are the same; {} looks further.", grouped(from),
                              grouped(search.next - 1), key_of("compare.next"))
                : fmt::format("Decision {} is not simulated yet.", grouped(from)));
        return;
    }
    look_from_ = 0;
    b_is_late_ = false;
    wanted_.reset();
    wanted_step_.reset();
    view_.playing = false;
    a_->session().seek(StepKind::decision, *search.decision);
    b_->session().seek(StepKind::decision, *search.decision);
    model_.difference = search.decision;
    view_.inside_step = 0;
    keep_in_view();
    say(fmt::format("Decision {} differs.", grouped(*search.decision)));
}

void App::toggle_predicting() {
    const std::string score = score_so_far(view_);
    view_.predicting = !view_.predicting;
    view_.predicted = view_.predicted_right = 0;
    ask_next();
    say(view_.predicting
            ? fmt::format("Who runs next? Choose in the decision pane, or with the keys 1 to 9; {} "
                          "shows everything again.",
                          key_of("predict"))
            : "Outcomes are shown again." + (score.empty() ? "" : " " + score));
}

// The questions take turns. A policy that refills nothing is not asked about it.
void App::ask_next() {
    view_.prediction.reset();
    view_.ask = static_cast<Ask>(view_.predicted % 3);
    if (view_.ask != Ask::refill) return;
    const std::optional<Cursor> cursor = cursor_in(a_.get(), view_);
    if (cursor && !can_refill(*cursor)) view_.ask = Ask::considered;
}

void App::predict(const Prediction& choice) {
    const std::optional<Cursor> cursor = cursor_in(a_.get(), view_);
    if (!cursor || !outcome_hidden(view_)) return;
    view_.prediction = choice;
    ++view_.predicted;
    if (*predicted_right(*cursor, view_)) ++view_.predicted_right;
}

bool App::predict_by_key(const SDL_KeyboardEvent& event) {
    if (!outcome_hidden(view_) || (event.keysym.mod & (KMOD_CTRL | KMOD_ALT | KMOD_SHIFT | KMOD_GUI)) != 0)
        return false;
    const SDL_Scancode code = event.keysym.scancode;
    const auto digit = [&](SDL_Scancode one, SDL_Scancode nought) -> std::optional<std::size_t> {
        if (code == nought) return 0;
        if (code < one || code > one + 8) return std::nullopt;
        return static_cast<std::size_t>(code - one) + 1;
    };
    std::optional<std::size_t> number = digit(SDL_SCANCODE_1, SDL_SCANCODE_0);
    if (!number) number = digit(SDL_SCANCODE_KP_1, SDL_SCANCODE_KP_0);
    const std::optional<Cursor> cursor = cursor_in(a_.get(), view_);
    if (!number || !cursor) return false;
    if (event.repeat != 0) return true;
    if (const std::optional<Prediction> choice = numbered_answer(*cursor, view_.ask, *number))
        predict(*choice);
    else
        say(fmt::format("There is no answer {}.", *number));
    return true;
}

// --- the laboratory ---

// The scenario with other values, under another policy; throws what is wrong with them.
void App::use(std::vector<std::string> sets, const std::string& policy) {
    auto scenario = std::make_shared<const sim::Scenario>(sim::load_scenario(source_, sets));
    const sim::NamedPolicy named = sim::make_policy(policy, scenario->cpus);
    scenario_ = std::move(scenario);
    model_.sets = std::move(sets);
    if (b_ && b_->recording().interventions().empty()) {
        b_ = make_run(b_policy_);
        model_.b = b_.get();
    } else {
        end_compare();
    }
    adopt(std::make_unique<Run>(std::make_unique<sim::Session>(scenario_, named)));
}

// What the person has set, whatever run of the laboratory is open.
std::vector<std::string> App::lab_sets() const {
    std::vector<std::string> sets;
    for (const std::string& set : model_.sets) {
        const auto put =
            std::find_if(lab_puts_.begin(), lab_puts_.end(), [&](const auto& p) { return p.first == set; });
        if (put == lab_puts_.end())
            sets.push_back(set);
        else if (!put->second.empty())
            sets.push_back(put->second);
    }
    return sets;
}

void App::open_lab_run(std::uint64_t run) {
    if (!a_ || !laboratory_.is_there()) return;
    const std::vector<std::string> before = lab_sets();
    std::vector<std::string> sets = laboratory_.sets_of(run);
    const std::string policy = laboratory_.policy_of(run);
    const Before was{model_.sets, a_->recording().policy().spec(), wanted_.value_or(a_->now()),
                     wanted_ ? 0 : a_->session().machine().globals().events};
    try {
        use(sets, policy);
    } catch (const std::exception& problem) {
        model_.error = words_of(problem);
        return;
    }
    if (!before_lab_) before_lab_ = was;
    model_.can_leave_lab_run = true;
    lab_puts_.clear();
    std::string what;
    for (const std::string& set : sets) {
        if (std::find(before.begin(), before.end(), set) != before.end()) continue;
        const std::string start = set.substr(0, set.find('=') + 1);
        const auto old = std::find_if(before.begin(), before.end(),
                                      [&](const std::string& other) { return other.starts_with(start); });
        lab_puts_.emplace_back(set, old == before.end() ? std::string{} : *old);
        what += set + ", ";
    }
    view_.alone.clear();
    view_.playing = false;
    view_.level = DepthLevel::time;
    view_.selection.reset();
    go_to_start();
    take_b_along();
    say(fmt::format("Open: {}under {}. \"Back\" in the laboratory goes back.", what, policy));
}

void App::leave_lab_run() {
    if (!a_ || !before_lab_) return;
    const Before before = *before_lab_;
    try {
        use(before.sets, before.policy);
    } catch (const std::exception& problem) {
        model_.error = words_of(problem);
        return;
    }
    before_lab_.reset();
    lab_puts_.clear();
    model_.can_leave_lab_run = false;
    arrive(before.now, kWait);
    // At that instant there may be several places.
    if (before.events > 0 && !wanted_) {
        sim::Session& session = a_->session();
        if (!session.seek(StepKind::event, before.events) || session.now() != before.now)
            session.seek(before.now);
        moved();
    }
    show_position();
    say("Back in the run that was open before.");
}

void App::stop_lab(bool stop) { stop ? laboratory_.stop() : laboratory_.go_on(); }

void App::copy_lab_command() {
    if (!laboratory_.is_there()) return;
    const std::string command = laboratory_.command();
    backend_.set_clipboard(command + "\n");
    say("Copied: " + command);
}

void App::save_lab_figure() {
    if (!laboratory_.is_there() || !laboratory_.is_complete()) return;
    for (int i = 1; i < 1000; ++i) {
        const std::string name = fmt::format("{}-{:03}", laboratory_.spec().scenario, i);
        const std::string results = name + ".jsonl", figure = name + ".svg";
        if (std::filesystem::exists(results) || std::filesystem::exists(figure)) continue;
        try {
            sim::write_whole_file(results, laboratory_.results_file());
            sim::write_whole_file(figure, laboratory_.figure(results));
            say(fmt::format("Saved {} and its results, {}", figure, results));
        } catch (const std::exception& problem) {
            say(problem.what());
        }
        return;
    }
    say("There are 999 figures of this name already.");
}

// The sweep begins as soon as the pane is shown, and then goes on behind any other.
bool App::work_in_lab(Deadline deadline) {
    if (!a_) return false;
    const bool shown = std::any_of(drawn_.begin(), drawn_.end(),
                                   [](const Panel* p) { return p->id == std::string_view("laboratory"); });
    // While a slider is dragged every frame has another scenario.
    const bool held = !patient_ && ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (shown && !held && !view_.laboratory.pointer.empty())
        laboratory_.ask({source_, lab_sets()}, view_.laboratory);
    return laboratory_.work(deadline);
}

// --- the window ---

void App::copy(const std::string& text) {
    backend_.set_clipboard(text);
    say(fmt::format("Copied {} lines.", std::count(text.begin(), text.end(), '\n')));
}

void App::copy_pane() {
    const Panel* panel = find_panel(view_.alone.empty() ? hovered_pane_ : view_.alone);
    copy(panel == nullptr ? text() : panel->text(model_, view_));
}

void App::save_picture() {
    for (int i = 1; i < 1000; ++i) {
        const std::string path = fmt::format("switchyard-{:03}.png", i);
        if (std::filesystem::exists(path)) continue;
        try {
            write_png(path, backend_.screenshot());
            say("Saved " + path);
        } catch (const std::exception& problem) {
            say(problem.what());
        }
        return;
    }
}

void App::use_key_file(const std::string& path) {
    key_file_ = path;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return;
    std::ifstream in(path);
    if (!in) return;
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    try {
        commands_.read_bindings(text);
    } catch (const std::invalid_argument& problem) {
        if (!model_.error.empty()) model_.error += "\n";
        model_.error += fmt::format("{}: {}", path, problem.what());
    }
}

std::string App::key_of(std::string_view id) const {
    const Command* command = commands_.find(id);
    return command == nullptr      ? std::string(id)
           : command->keys.empty() ? fmt::format("'{}'", command->title)
                                   : display_name(command->keys.front());
}

// The key that was pressed for it becomes the command's one key.
void App::bind_pressed(const std::string& id, const SDL_KeyboardEvent& event) {
    const Chord chord{event.keysym.scancode, (event.keysym.mod & KMOD_CTRL) != 0,
                      (event.keysym.mod & KMOD_SHIFT) != 0, (event.keysym.mod & KMOD_ALT) != 0};
    const std::string spelled = to_string(chord);
    try {
        commands_.bind(id, spelled);
    } catch (const std::invalid_argument& problem) {
        say(problem.what());
        return;
    }
    say(fmt::format("{} is now {}.", commands_.find(id)->title, spelled));
    if (key_file_.empty()) return;
    const std::filesystem::path folder = std::filesystem::path(key_file_).parent_path();
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    std::ofstream out(key_file_, std::ios::app);
    out << id << " = " << spelled << "\n";
    out.close();
    if (!out)
        say(fmt::format("{} is now {}, until you quit: {} cannot be written.", commands_.find(id)->title,
                        spelled, key_file_));
}

void App::take(const SDL_Event& event) {
    if (event.type == SDL_QUIT) {
        quit_ = true;
    } else if (event.type == SDL_DROPFILE) {
        const std::string path = event.drop.file;
        SDL_free(event.drop.file);
        overlay_ = Overlay::none;
        open(path);
        return;
    }
    backend_.process(event);
    if (event.type == SDL_KEYDOWN) {
        const bool typing = ImGui::GetIO().WantTextInput;
        const bool bare = (event.key.keysym.mod & (KMOD_CTRL | KMOD_ALT)) == 0;
        const SDL_Scancode code = event.key.keysym.scancode;
        const bool leaves = code == SDL_SCANCODE_ESCAPE;
        const bool function = code >= SDL_SCANCODE_F1 && code <= SDL_SCANCODE_F12;
        const bool editing =
            typing && (bare ? !function
                            : code == SDL_SCANCODE_A || code == SDL_SCANCODE_C || code == SDL_SCANCODE_V ||
                                  code == SDL_SCANCODE_X || code == SDL_SCANCODE_Z ||
                                  code == SDL_SCANCODE_LEFT || code == SDL_SCANCODE_RIGHT);
        // Esc leaves the box first, and then whatever it is in.
        const bool in_pane = overlay_ == Overlay::none && model_.error.empty();
        if (leaves ? !(typing && in_pane) : !editing) key(event.key);
    }
}

void App::key(const SDL_KeyboardEvent& event) {
    const SDL_Scancode code = event.keysym.scancode;
    const bool modifier = code >= SDL_SCANCODE_LCTRL && code <= SDL_SCANCODE_RGUI;
    if (modifier) return;
    if (!rebinding_.empty()) {
        const std::string id = std::exchange(rebinding_, {});
        if (code != SDL_SCANCODE_ESCAPE) bind_pressed(id, event);
        return;
    }
    // What lies over the panes has the keyboard, but for the keys that close it or open another.
    const bool error = !model_.error.empty();
    if (overlay_ != Overlay::none || error) {
        const bool enter = code == SDL_SCANCODE_RETURN || code == SDL_SCANCODE_KP_ENTER;
        const bool bare = (event.keysym.mod & (KMOD_CTRL | KMOD_ALT)) == 0;
        if (code == SDL_SCANCODE_ESCAPE || (error && overlay_ == Overlay::none && enter && bare)) {
            go_out();
            return;
        }
        const Command* command = commands_.of_key(event);
        if (command == nullptr || command->group != "Window") return;
    }
    if (overlay_ == Overlay::none && !error && predict_by_key(event)) return;
    if (const Command* command = commands_.of_key(event);
        command != nullptr && (event.repeat == 0 || command->repeats)) {
        const Overlay before = overlay_;
        command->run(*this);
        if (before != Overlay::none && overlay_ == before && command->id == "help") overlay_ = Overlay::none;
    }
}

// --- frames ---

void App::work(Deadline deadline) {
    bool more = work_in_lab(patient_ ? deadline : Clock::now() + (deadline - Clock::now()) / 2);
    for (Run* run : {a_.get(), b_.get()}) {
        if (run == nullptr) continue;
        more = run->work(deadline) || more;
        // What the panes will ask for: made again here, so that drawing only draws.
        run->inside();
        run->detail(view_.shown, static_cast<int>(backend_.size().width / 4));
    }
    catch_up();
    busy_ = more;
}

void App::frame(double dt) {
    SDL_Event event;
    while (backend_.poll(event)) take(event);
    play(dt);
    // What drawing leaves of a sixtieth of a second, and a little at least.
    const double free = std::max(0.003, kFrame * 0.55 - last_draw_);
    work(patient_ ? Deadline::max()
                  : Clock::now() +
                        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(free)));

    const Clock::time_point begin = Clock::now();
    backend_.begin_frame(dt);
    view_.moving = false;
    draw();
    const Clock::time_point built = Clock::now();
    backend_.end_frame(theme_->background);
    const Clock::time_point end = Clock::now();
    times_ = {.lists = built - begin, .frame = end - begin};
    last_draw_ = std::chrono::duration<double>(end - begin).count();
    if (view_.moving || view_.playing) busy_ = true;

    std::vector<std::function<void(App&)>> requests;
    requests.swap(requests_);
    for (const auto& request : requests) request(*this);
    if (!requests.empty()) busy_ = true;
}

}  // namespace ui
