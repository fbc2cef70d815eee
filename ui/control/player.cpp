#include "ui/control/player.h"

#include <algorithm>

#include "ui/view/decision_cursor.h"
#include "ui/view/pace.h"
#include "ui/view/speeds.h"

namespace ui {
namespace {

using sim::Nanos;
using sim::StepKind;

constexpr double kStill = 0.8;  // seconds at the last line
constexpr double kRun = 1.2;    // from one schedule() to the next

}  // namespace

void Player::set_playing(bool playing) {
    desk_.view.playing = playing && desk_.is_open();
    rest_ = 0;
    scene_ = Scene::time;
    stretch_.seconds = -1;
    desk_.model.message.clear();
}

void Player::change_speed(int by) {
    const int last = static_cast<int>(kSpeeds.size()) - 1;
    desk_.view.speed = static_cast<std::size_t>(std::clamp(static_cast<int>(desk_.view.speed) + by, 0, last));
}

// The film's: each step of the speed is half as fast again.
double Player::pace() const {
    double factor = 1;
    for (std::size_t s = kUsualSpeed; s < desk_.view.speed; ++s) factor *= 1.5;
    for (std::size_t s = kUsualSpeed; s > desk_.view.speed; --s) factor /= 1.5;
    return factor;
}

void Player::play(double dt) {
    history_.glide(dt);
    if (!desk_.view.playing || !desk_.is_open()) {
        scene_ = Scene::time;
        stretch_.seconds = -1;
        return;
    }
    const Speed& speed = kSpeeds[desk_.view.speed];
    if (scene_ != Scene::time || desk_.view.level == DepthLevel::inside)
        play_film(dt * pace());
    else if (speed.switches > 0)
        play_switches(dt, speed.switches);
    else
        play_time(dt);
}

void Player::end() {
    desk_.a().session().seek_end();
    navigator_.seek(desk_.a().now());
    set_playing(false);
    desk_.say("This is the end of the run.");
}

void Player::play_time(double dt) {
    const double factor = kSpeeds[desk_.view.speed].factor;
    const Nanos there = desk_.a().end();
    const bool complete = desk_.a().recording().is_complete();
    const auto whole = static_cast<double>((complete ? there : std::max(there, Nanos{1})).count());
    // As fast as possible is the whole run in four seconds: nobody could follow more.
    rest_ += factor > 0 ? dt * factor * 1e9 : dt * whole / 4;
    const auto span = Nanos{static_cast<std::int64_t>(rest_)};
    if (span <= Nanos{}) return;
    rest_ -= static_cast<double>(span.count());
    const Nanos target = desk_.a().now() + span;
    if (target >= there && complete)
        end();
    else
        navigator_.seek(std::min(target, there));
    history_.keep_in_view();
}

// From here to the next of its kind. Returns whether there is one; it may not be simulated yet.
bool Player::begin_stretch(StepKind kind) {
    sim::Session& session = desk_.a().session();
    const sim::Moment& tip = desk_.a().recording().tip();
    const std::uint64_t next = sim::count(kind, session.machine(), session.statistics()) + 1;
    const auto is_there = [&] { return sim::count(kind, tip.machine, tip.statistics) >= next; };
    desk_.simulate(desk_.a(), desk_.deadline(kWait), is_there);
    if (!is_there()) return false;
    // Where it is, only going there tells.
    const Nanos from = session.now();
    const std::uint64_t events = session.machine().globals().events;
    session.seek(kind, next);
    stretch_ = {
        .from = from, .to = session.now(), .n = next, .seconds = 0, .at = from, .run = desk_.a().id()};
    session.seek(StepKind::event, events);
    if (session.now() < from) session.seek(from);
    return true;
}

// On through the stretch; begins one where there is none. Returns whether its end is reached.
bool Player::pass(StepKind kind, double dt, double seconds) {
    if (stretch_.at != desk_.a().now() || stretch_.run != desk_.a().id()) stretch_.seconds = -1;
    if (stretch_.seconds < 0 && !begin_stretch(kind)) {
        if (desk_.a().recording().is_complete()) end();
        return false;
    }
    stretch_.seconds += dt;
    if (stretch_.seconds >= seconds) {
        navigator_.seek(kind, stretch_.n);
        stretch_.seconds = -1;
        return true;
    }
    const double part = stretch_.seconds / seconds;
    const auto length = static_cast<double>((stretch_.to - stretch_.from).count());
    // What happens at the end happens when it is reached.
    const Nanos at =
        std::min(stretch_.from + Nanos{static_cast<std::int64_t>(part * length)}, stretch_.to - Nanos{1});
    if (at > desk_.a().now()) navigator_.seek(at);
    stretch_.at = desk_.a().now();
    history_.keep_in_view();
    return false;
}

void Player::play_switches(double dt, double per_second) {
    pass(StepKind::context_switch, dt, 1 / per_second);
}

void Player::play_film(double dt) {
    in_scene_ += dt;
    switch (scene_) {
        case Scene::time:
            first_line_ = set_line_ = desk_.view.inside_step;
            in_scene_ = 0;
            scene_ = Scene::walk;
            return;
        case Scene::walk:
            return walk();
        case Scene::still:
            if (in_scene_ < kStill) return;
            desk_.view.level = DepthLevel::time;
            scene_ = Scene::run;
            return;
        case Scene::run:
            if (!pass(StepKind::decision, dt, kRun)) return;
            desk_.view.level = DepthLevel::inside;
            scene_ = Scene::time;
            return;
    }
}

void Player::walk() {
    const Inside* inside = desk_.a().inside();
    if (inside == nullptr || outcome_hidden(desk_.view)) {
        in_scene_ = 0;  // there is a question to answer first
        return;
    }
    // Somebody has put the cursor elsewhere, or has come out: on from there.
    if (desk_.view.level != DepthLevel::inside || desk_.view.inside_step != set_line_) {
        scene_ = Scene::time;
        return;
    }
    const std::size_t lines = inside->steps.size();
    const std::size_t left = lines - std::min(first_line_, lines);
    set_line_ = first_line_ + line_of_walk(left, in_scene_);
    desk_.view.inside_step = set_line_;
    if (in_scene_ < walk_seconds(left)) return;
    in_scene_ = 0;
    scene_ = Scene::still;
}

}  // namespace ui
