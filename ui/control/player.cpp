#include "ui/control/player.h"

#include <algorithm>

#include "ui/view/animation_timing.h"
#include "ui/view/decision_cursor.h"
#include "ui/view/speeds.h"

namespace ui {
namespace {

using sim::Nanos;
using sim::StepEventKind;

constexpr double kStill = 0.8;         // seconds of pause at the last step of a schedule()
constexpr double kNextSchedule = 1.2;  // seconds to play from one schedule() to the next
// At the speed of one decision per second: seconds for which a decision is held, and seconds in which the run
// advances to the next decision.
constexpr double kHold = 0.65, kNext = 0.35;
constexpr double kUpdateInterval = 0.5;  // seconds between updates of ViewState::skipped_switches

}  // namespace

void Player::set_playing(bool playing) {
    state_.view.playing = playing && state_.is_open();
    state_.view.skipped_switches = 0;
    rest_ = hold_ = since_update_ = 0;
    phase_ = PlaybackPhase::time;
    segment_.seconds = -1;
    state_.model.message.clear();
}

void Player::change_speed_by_steps(int by) {
    state_.view.speed = next_speed(state_.view.speed, by, state_.view.own_speed);
}

// The factor by which playback inside schedule() is faster than normal. At own_speed, at which the whole run
// takes about 20 s, the factor is 1. Each step to a higher speed in kSpeeds multiplies the factor by 1.5;
// each step to a lower speed divides it by 1.5. At speeds in switches or decisions per second, the factor is
// 1.
double Player::inside_schedule_speed_factor() const {
    if (kSpeeds[state_.view.speed].is_by_event()) return 1;
    double factor = 1;
    const std::size_t own = state_.view.own_speed;
    for (std::size_t s = own; s < state_.view.speed; ++s) factor *= 1.5;
    for (std::size_t s = own; s > state_.view.speed; --s) factor /= 1.5;
    return factor;
}

// Updates ViewState::skipped_switches: the number of context switches per second that playback does not show
// one by one, because they are too fast.
void Player::update_skipped_switches(double dt) {
    const std::uint64_t now = state_.a().session().machine().globals().switches;
    std::uint64_t& skipped = state_.view.skipped_switches;
    if (since_update_ == 0) switches_ = now;
    since_update_ += dt;
    if (since_update_ < kUpdateInterval) return;
    const double passed = now > switches_ ? static_cast<double>(now - switches_) : 0;
    const double shown = since_update_ / kSecondsPerVisibleChange;
    skipped = passed > shown ? static_cast<std::uint64_t>((passed - shown) / since_update_) : 0;
    since_update_ = 0;
}

void Player::advance_playback(double dt) {
    history_.advance_range_animation(dt);
    if (!state_.view.playing || !state_.is_open()) {
        phase_ = PlaybackPhase::time;
        segment_.seconds = -1;
        return;
    }
    const PlaybackSpeed& speed = kSpeeds[state_.view.speed];
    if (phase_ != PlaybackPhase::time || state_.view.level == DepthLevel::inside)
        play_inside_schedule(dt * inside_schedule_speed_factor());
    else if (speed.holds_decision)
        play_decisions(dt);
    else if (speed.switches > 0)
        play_at_switch_rate(dt, speed.switches);
    else
        play_at_speed(dt);
    if (state_.view.playing) update_skipped_switches(dt);
}

void Player::stop_at_end() {
    state_.a().session().seek_end();
    navigator_.seek(state_.a().now());
    set_playing(false);
    state_.say("This is the end of the run.");
}

void Player::play_at_speed(double dt) {
    const double factor = kSpeeds[state_.view.speed].factor;
    const Nanos there = state_.a().end();
    const bool complete = state_.a().history().is_complete();
    const auto whole = static_cast<double>((complete ? there : std::max(there, Nanos{1})).count());
    // "As fast as possible" plays the entire run in four seconds, because a user could not follow a faster
    // playback.
    rest_ += factor > 0 ? dt * factor * 1e9 : dt * whole / 4;
    const auto span = Nanos{static_cast<std::int64_t>(rest_)};
    if (span <= Nanos{}) return;
    rest_ -= static_cast<double>(span.count());
    const Nanos target = state_.a().now() + span;
    if (target >= there && complete)
        stop_at_end();
    else
        navigator_.seek(std::min(target, there));
    history_.keep_position_visible();
}

// Sets `segment_` to the segment up to the next event of `kind`. Returns false if no such event is
// simulated.
bool Player::begin_segment_to_next(StepEventKind kind) {
    sim::Session& session = state_.a().session();
    const sim::Moment& simulated_end = state_.a().history().simulated_end();
    const std::uint64_t next = sim::count_steps(kind, session.machine(), session.statistics()) + 1;
    const auto is_there = [&] {
        return sim::count_steps(kind, simulated_end.machine, simulated_end.statistics) >= next;
    };
    state_.simulate(state_.a(), state_.deadline_after(kWait), is_there);
    if (!is_there()) return false;
    // Moves the session to that event and back, because the event's time cannot be determined in another way.
    const Nanos from = session.now();
    const std::uint64_t events = session.machine().globals().events;
    session.seek(kind, next);
    segment_ = {
        .from = from, .to = session.now(), .n = next, .seconds = 0, .at = from, .run = state_.a().id()};
    session.seek(StepEventKind::event, events);
    if (session.now() < from) session.seek(from);
    return true;
}

// Plays the next `dt` seconds of the current segment; if there is none, begins a segment. A segment is played
// in `seconds` of wall time. Returns true at the end of the segment.
bool Player::play_segment_to_next(StepEventKind kind, double dt, double seconds) {
    if (segment_.at != state_.a().now() || segment_.run != state_.a().id()) segment_.seconds = -1;
    if (segment_.seconds < 0 && !begin_segment_to_next(kind)) {
        if (state_.a().history().is_complete()) stop_at_end();
        return false;
    }
    segment_.seconds += dt;
    if (segment_.seconds >= seconds) {
        navigator_.seek(kind, segment_.n);
        segment_.seconds = -1;
        return true;
    }
    const double part = segment_.seconds / seconds;
    const auto length = static_cast<double>((segment_.to - segment_.from).count());
    // Stops 1 ns before the end of the segment, so that the events at its end occur only when the segment is
    // complete.
    const Nanos at =
        std::min(segment_.from + Nanos{static_cast<std::int64_t>(part * length)}, segment_.to - Nanos{1});
    if (at > state_.a().now()) navigator_.seek(at);
    segment_.at = state_.a().now();
    history_.keep_position_visible();
    return false;
}

void Player::play_at_switch_rate(double dt, double switches_per_second) {
    play_segment_to_next(StepEventKind::context_switch, dt, 1 / switches_per_second);
}

void Player::play_decisions(double dt) {
    if (hold_ > 0)
        hold_ -= dt;
    else if (play_segment_to_next(StepEventKind::decision, dt, kNext))
        hold_ = kHold;
}

void Player::play_inside_schedule(double dt) {
    in_phase_ += dt;
    switch (phase_) {
        case PlaybackPhase::time:
            first_line_ = set_line_ = state_.view.inside_step;
            in_phase_ = 0;
            phase_ = PlaybackPhase::walk;
            return;
        case PlaybackPhase::walk:
            return play_schedule_lines();
        case PlaybackPhase::still:
            if (in_phase_ < kStill) return;
            state_.view.level = DepthLevel::time;
            phase_ = PlaybackPhase::run;
            return;
        case PlaybackPhase::run:
            if (!play_segment_to_next(StepEventKind::decision, dt, kNextSchedule)) return;
            state_.view.level = DepthLevel::inside;
            phase_ = PlaybackPhase::time;
            return;
    }
}

void Player::play_schedule_lines() {
    const DecisionDetail* inside = state_.a().last_decision();
    if (inside == nullptr || is_outcome_hidden(state_.view)) {
        in_phase_ = 0;  // waits until the user has answered the prediction question
        return;
    }
    // If the user has moved the cursor, playback continues from the line at the cursor.
    if (state_.view.level != DepthLevel::inside || state_.view.inside_step != set_line_) {
        phase_ = PlaybackPhase::time;
        return;
    }
    const std::size_t lines = inside->steps.size();
    const std::size_t left = lines - std::min(first_line_, lines);
    set_line_ = first_line_ + line_at_playback_time(left, in_phase_);
    state_.view.inside_step = set_line_;
    if (in_phase_ < playback_seconds(left)) return;
    in_phase_ = 0;
    phase_ = PlaybackPhase::still;
}

}  // namespace ui
