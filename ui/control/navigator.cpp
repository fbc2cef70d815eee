#include "ui/control/navigator.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/units.h"
#include "ui/view/format.h"

namespace ui {
namespace {

using sim::Nanos;
using sim::StepKind;

}  // namespace

void Navigator::go_to_start() {
    if (!desk_.is_open()) return;
    constexpr std::uint64_t kLook = 20'000;  // decisions
    sim::Session& session = desk_.a().session();
    sim::Recording& recording = session.recording();
    const sim::Moment& tip = recording.tip();
    desk_.simulate(desk_.a(), desk_.deadline(kWait),
                   [&tip] { return tip.statistics.recalcs > 0 || tip.machine.globals().decisions >= kLook; });
    if (tip.statistics.recalcs > 0)
        session.seek(StepKind::recalculation, 1);
    else if (tip.machine.globals().switches > 0)
        session.seek(StepKind::context_switch, std::min<std::uint64_t>(2, tip.machine.globals().switches));
    recording.extend(64);
    history_.show_position();
    history_.forget_back();
    moved();
}

void Navigator::moved() {
    desk_.view.inside_step = 0;
    desk_.view.subject.clear();
    forget_wanted();
    predictor_.ask_next();
    comparison_.moved();
}

void Navigator::forget_wanted() {
    wanted_.reset();
    wanted_step_.reset();
    wanted_place_.reset();
    wanted_parting_ = 0;
}

Standing Navigator::standing() const {
    if (wanted_) return *wanted_;
    return {desk_.a().now(), desk_.a().session().machine().globals().events};
}

void Navigator::stand(const Standing& place) {
    sim::Session& session = desk_.a().session();
    const bool found =
        place.events > 0 && session.seek(StepKind::event, place.events) && session.now() == place.time;
    if (!found) session.seek(place.time);
    moved();
}

// Then to the end of what is there, and on as soon as there is more.
void Navigator::arrive(const Standing& place, std::chrono::milliseconds wait) {
    desk_.simulate(desk_.a(), desk_.deadline(wait), [&] { return desk_.a().end() > place.time; });
    stand(place);
    if (!desk_.a().recording().is_complete() && desk_.a().end() <= place.time) wanted_ = place;
}

void Navigator::catch_up() {
    if (!desk_.is_open()) return;
    if (wanted_ && (desk_.a().recording().is_complete() || desk_.a().end() > wanted_->time)) {
        stand(Standing(*wanted_));  // which forgets what was wanted
        history_.keep_in_view();
    }
    if (wanted_step_) {
        const sim::Moment& tip = desk_.a().recording().tip();
        const sim::Session& session = desk_.a().session();
        if (desk_.a().recording().is_complete() ||
            sim::count(*wanted_step_, tip.machine, tip.statistics) >
                sim::count(*wanted_step_, session.machine(), session.statistics()))
            step(*wanted_step_, 1);
    }
    if (wanted_place_) {
        const sim::Place place = *wanted_place_;
        const sim::Moment& tip = desk_.a().recording().tip();
        if (desk_.a().recording().is_complete() ||
            sim::count(*place.kind, tip.machine, tip.statistics) >= place.n) {
            forget_wanted();
            go_to(place);
        }
    }
    if (wanted_parting_ != 0 && desk_.beside() != nullptr && desk_.beside()->is_complete())
        next_parting(wanted_parting_);
    comparison_.catch_up();
}

void Navigator::seek(Nanos t) {
    if (!desk_.is_open()) return;
    desk_.a().session().seek(std::max(Nanos{}, t));
    moved();
}

void Navigator::seek(StepKind kind, std::uint64_t n) {
    if (!desk_.is_open() || !desk_.a().session().seek(kind, n)) return;
    moved();
    history_.keep_in_view();
}

bool Navigator::go_to(const std::string& text) {
    if (!desk_.is_open()) return false;
    std::string why;
    const std::optional<sim::Place> place = sim::parse_place(typed_place(text), why);
    if (!place) {
        desk_.say(why);
        return false;
    }
    return go_to(*place);
}

// Whether there is one or may still be: then it waits for the simulation.
bool Navigator::go_to_nth(const sim::Place& place) {
    const std::string name = fmt::format("{} {}", to_string(*place.kind), grouped(place.n));
    const sim::Recording& recording = desk_.a().recording();
    const sim::Moment& tip = recording.tip();
    const auto is_there = [&] { return sim::count(*place.kind, tip.machine, tip.statistics) >= place.n; };
    desk_.simulate(desk_.a(), desk_.deadline(kWait), is_there);
    if (!is_there() && !recording.is_complete()) {
        forget_wanted();
        wanted_place_ = place;
        desk_.say(fmt::format("On the way to {}: it is being simulated.", name));
        return true;
    }
    if (!desk_.a().session().seek(place)) {
        desk_.say(fmt::format("There is no {} in this run.", name));
        return false;
    }
    moved();
    history_.show_position();
    return true;
}

bool Navigator::go_to(const sim::Place& place) {
    desk_.view.playing = false;
    if (place.kind) return go_to_nth(place);
    arrive({place.time}, kWait);
    history_.show_position();
    if (wanted_) desk_.say(fmt::format("On the way to {}: it is being simulated.", instant(place.time)));
    return true;
}

void Navigator::go_to(const Standing& place) { stand(place); }

void Navigator::next_difference() {
    const std::optional<std::uint64_t> decision = comparison_.find_difference();
    if (!decision) return;
    forget_wanted();
    desk_.view.playing = false;
    desk_.view.inside_step = 0;
    desk_.a().session().seek(StepKind::decision, *decision);
    comparison_.stand_after(*decision);
    history_.keep_in_view();
    desk_.say(fmt::format("Decision {} differs.", grouped(*decision)));
}

void Navigator::next_parting(int direction) {
    if (!desk_.is_open()) return;
    BesideRecorded* const beside = desk_.beside();
    if (beside == nullptr) return desk_.say("This scenario is not made of a recording that was opened here.");
    desk_.view.playing = false;
    const Deadline end = desk_.deadline(kWait);
    desk_.simulate(desk_.a(), end, [] { return false; });
    beside->work(end);
    forget_wanted();
    if (!beside->is_complete()) {
        wanted_parting_ = direction;
        return desk_.say("On the way to where run and recording part: the run is being set beside it.");
    }
    const std::vector<BesideRecorded::Place>& places = beside->places();
    const sim::Globals& here = desk_.a().session().machine().globals();
    std::size_t place = places.size();  // or none
    if (at_parting_.run == desk_.a().id() && here.now == at_parting_.at.time &&
        here.events == at_parting_.at.events) {
        place = at_parting_.place + static_cast<std::size_t>(direction);  // before the first: past all
    } else {
        // Behind where one stands; or, going back, not before it, and then one more.
        const auto found = std::find_if(places.begin(), places.end(), [&](const auto& p) {
            const bool is_here = p.decision > 0 ? p.decision == here.decisions : p.time == here.now;
            const bool is_behind = p.decision > 0 ? p.decision > here.decisions : p.time > here.now;
            return is_behind || (is_here && direction < 0);
        });
        place = static_cast<std::size_t>(found - places.begin()) - (direction > 0 ? 0 : 1);
    }
    if (place >= places.size())
        return desk_.say(fmt::format("No switch {} here is another one than the recorded. {}.",
                                     direction > 0 ? "behind" : "before", beside->summary()));
    if (places[place].decision > 0)
        desk_.a().session().seek(StepKind::decision, places[place].decision);
    else
        desk_.a().session().seek(places[place].time);
    moved();
    at_parting_ = {desk_.a().id(), place, standing()};
    history_.keep_in_view();
    desk_.say(beside->words(places[place]));
}

void Navigator::step(StepKind kind, int direction) {
    if (!desk_.is_open()) return;
    desk_.view.playing = false;
    desk_.view.prediction.reset();
    sim::Session& session = desk_.a().session();
    if (direction > 0) {
        // The next of its kind may be hours away.
        const sim::Moment& tip = desk_.a().recording().tip();
        const std::uint64_t next = sim::count(kind, session.machine(), session.statistics()) + 1;
        const auto is_there = [&] { return sim::count(kind, tip.machine, tip.statistics) >= next; };
        desk_.simulate(desk_.a(), desk_.deadline(kWait), is_there);
        if (!desk_.a().recording().is_complete() && !is_there()) {
            forget_wanted();
            wanted_step_ = kind;
            desk_.say(fmt::format("On the way to the next {}: it is being simulated.", to_string(kind)));
            return;
        }
    }
    const bool went = direction > 0 ? session.step_forward(kind) : session.step_back(kind);
    if (!went)
        desk_.say(direction > 0 ? "This is the end of the run." : "This is the beginning of the run.");
    else
        desk_.model.message.clear();
    moved();
    history_.keep_in_view();
}

void Navigator::step_here(int direction) {
    if (!desk_.is_open()) return;
    switch (desk_.view.level) {
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
    const Inside* inside = desk_.a().inside();
    const std::size_t steps = inside == nullptr ? 0 : inside->steps.size();
    if (direction > 0 && desk_.view.inside_step + 1 < steps)
        ++desk_.view.inside_step;
    else if (direction < 0 && desk_.view.inside_step > 0 && steps > 0)
        --desk_.view.inside_step;
    else if (direction > 0)
        step(StepKind::decision, 1);
    else {
        step(StepKind::decision, -1);
        const Inside* before = desk_.a().inside();
        if (before != nullptr && !before->steps.empty()) desk_.view.inside_step = before->steps.size() - 1;
    }
}

void Navigator::go_in() {
    desk_.view.subject.clear();
    desk_.view.presented.clear();
    if (desk_.view.level == DepthLevel::time) {
        desk_.view.level = DepthLevel::context_switch;
        desk_.say(fmt::format("Now {} and {} go from switch to switch; {} again looks inside schedule().",
                              desk_.around.key_of("step.forward"), desk_.around.key_of("step.back"),
                              desk_.around.key_of("inside.in")));
    } else if (desk_.view.level == DepthLevel::context_switch && desk_.is_open() &&
               desk_.a().inside() != nullptr) {
        desk_.view.level = DepthLevel::inside;
        desk_.view.inside_step = 0;
        desk_.say(fmt::format("Now {} and {} go from line to line of schedule(); {} walks them.",
                              desk_.around.key_of("step.forward"), desk_.around.key_of("step.back"),
                              desk_.around.key_of("play")));
    }
}

void Navigator::go_out() {
    desk_.view.subject.clear();
    desk_.view.presented.clear();
    if (desk_.view.level == DepthLevel::inside)
        desk_.view.level = DepthLevel::context_switch;
    else if (desk_.view.level == DepthLevel::context_switch)
        desk_.view.level = DepthLevel::time;
    else if (!desk_.view.alone.empty())
        desk_.view.alone.clear();
    else
        desk_.view.selection.reset();
}

void Navigator::seek_beginning() {
    if (!desk_.is_open()) return;
    desk_.a().session().seek_beginning();
    moved();
    history_.keep_in_view();
}

void Navigator::seek_end() {
    if (!desk_.is_open()) return;
    desk_.a().session().seek_end();
    moved();
    history_.keep_in_view();
}

}  // namespace ui
