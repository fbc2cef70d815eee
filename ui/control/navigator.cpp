#include "ui/control/navigator.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/units.h"
#include "ui/view/format.h"

namespace ui {
namespace {

using sim::Nanos;
using sim::StepEventKind;

}  // namespace

void Navigator::go_to_first_point_of_interest() {
    if (!state_.is_open()) return;
    constexpr std::uint64_t kLook = 20'000;  // decisions
    sim::Session& session = state_.a().session();
    sim::RunHistory& history = session.history();
    const sim::Moment& simulated_end = history.simulated_end();
    state_.simulate(state_.a(), state_.deadline_after(kWait), [&simulated_end] {
        return simulated_end.statistics.recalculations > 0 ||
               simulated_end.machine.globals().decisions >= kLook;
    });
    if (simulated_end.statistics.recalculations > 0)
        session.seek(StepEventKind::recalculation, 1);
    else if (simulated_end.machine.globals().switches > 0)
        session.seek(StepEventKind::context_switch,
                     std::min<std::uint64_t>(2, simulated_end.machine.globals().switches));
    history.extend(64);
    history_.show_range_around_position();
    history_.clear_back_ranges();
    update_after_move();
}

void Navigator::update_after_move() {
    state_.view.inside_step = 0;
    // At DepthLevel::inside, the pane DECISION would show the last schedule(), which is before the position
    // that the other panes show. The level is therefore changed.
    if (state_.view.level == DepthLevel::inside && state_.is_open() && !state_.a().is_at_decision())
        state_.view.level = DepthLevel::context_switch;
    state_.view.subject.clear();
    cancel_pending_move();
    prediction_quiz_.ask_next_question();
    comparison_.sync_to_position();
}

void Navigator::cancel_pending_move() {
    pending_position_.reset();
    pending_step_.reset();
    pending_event_.reset();
    pending_mismatch_direction_ = 0;
    if (!pending_message_.empty() && state_.model.message == pending_message_) state_.model.message.clear();
    pending_message_.clear();
}

void Navigator::show_pending_message(const std::string& target) {
    pending_message_ = fmt::format("Simulating up to {}.", target);
    state_.say(pending_message_);
}

RunPosition Navigator::position() const {
    if (pending_position_) return *pending_position_;
    return {state_.a().now(), state_.a().session().machine().globals().events};
}

void Navigator::set_position(const RunPosition& place) {
    sim::Session& session = state_.a().session();
    const bool found =
        place.events > 0 && session.seek(StepEventKind::event, place.events) && session.now() == place.time;
    if (!found) session.seek(place.time);
    update_after_move();
}

// Moves to `place`, and if necessary simulates up to it, for at most `wait`. If this time is not enough,
// moves to the simulated end; complete_pending_move() then completes the move.
void Navigator::simulate_and_go_to(const RunPosition& place, std::chrono::milliseconds wait) {
    state_.simulate(state_.a(), state_.deadline_after(wait), [&] { return state_.a().end() > place.time; });
    set_position(place);
    if (!state_.a().history().is_complete() && state_.a().end() <= place.time) pending_position_ = place;
}

void Navigator::complete_pending_move() {
    if (!state_.is_open()) return;
    if (pending_position_ &&
        (state_.a().history().is_complete() || state_.a().end() > pending_position_->time)) {
        set_position(RunPosition(*pending_position_));  // a copy: set_position() clears pending_position_
        history_.keep_position_visible();
    }
    if (pending_step_) {
        const sim::Moment& simulated_end = state_.a().history().simulated_end();
        const sim::Session& session = state_.a().session();
        if (state_.a().history().is_complete() ||
            sim::count_steps(*pending_step_, simulated_end.machine, simulated_end.statistics) >
                sim::count_steps(*pending_step_, session.machine(), session.statistics()))
            step(*pending_step_, 1);
    }
    if (pending_event_) {
        const sim::SeekTarget place = *pending_event_;
        const sim::Moment& simulated_end = state_.a().history().simulated_end();
        if (state_.a().history().is_complete() ||
            sim::count_steps(*place.kind, simulated_end.machine, simulated_end.statistics) >= place.n) {
            cancel_pending_move();
            go_to(place);
        }
    }
    if (pending_mismatch_direction_ != 0 && state_.trace_comparison() != nullptr &&
        state_.trace_comparison()->is_complete())
        go_to_next_trace_mismatch(pending_mismatch_direction_);
    comparison_.continue_sync();
}

void Navigator::seek(Nanos t) {
    if (!state_.is_open()) return;
    state_.a().session().seek(std::max(Nanos{}, t));
    update_after_move();
}

void Navigator::seek_after_events_at(Nanos t) {
    if (!state_.is_open()) return;
    sim::Session& session = state_.a().session();
    session.seek(std::max(Nanos{}, t));
    constexpr int kMostEvents = 10'000;  // maximum number of events that are stepped over
    for (int i = 0; i < kMostEvents && session.step_forward(sim::StepEventKind::event); ++i) {
        if (session.now() == t) continue;
        session.step_back(sim::StepEventKind::event);
        if (session.now() != t) session.seek(t);  // no event happens at this time
        break;
    }
    update_after_move();
}

void Navigator::seek(StepEventKind kind, std::uint64_t n) {
    if (!state_.is_open() || !state_.a().session().seek(kind, n)) return;
    update_after_move();
    history_.keep_position_visible();
}

bool Navigator::go_to(const std::string& text) {
    if (!state_.is_open()) return false;
    std::string why;
    const std::optional<sim::SeekTarget> place = sim::parse_seek_target(to_seek_syntax(text), why);
    if (!place) {
        state_.say(why);
        return false;
    }
    return go_to(*place);
}

// Goes to the n-th event of a kind, as `place` specifies. Returns true if the event exists or the move is
// pending.
bool Navigator::go_to_nth_event(const sim::SeekTarget& place) {
    const std::string name = fmt::format("{} {}", to_string(*place.kind), group_digits(place.n));
    const sim::RunHistory& history = state_.a().history();
    const sim::Moment& simulated_end = history.simulated_end();
    const auto is_there = [&] {
        return sim::count_steps(*place.kind, simulated_end.machine, simulated_end.statistics) >= place.n;
    };
    state_.simulate(state_.a(), state_.deadline_after(kWait), is_there);
    if (!is_there() && !history.is_complete()) {
        cancel_pending_move();
        pending_event_ = place;
        show_pending_message(name);
        return true;
    }
    if (!state_.a().session().seek(place)) {
        state_.say(fmt::format("There is no {} in this run.", name));
        return false;
    }
    update_after_move();
    history_.show_range_around_position();
    return true;
}

bool Navigator::go_to(const sim::SeekTarget& place) {
    state_.view.playing = false;
    if (place.kind) return go_to_nth_event(place);
    simulate_and_go_to({place.time}, kWait);
    history_.show_range_around_position();
    if (pending_position_) show_pending_message(instant_text(place.time));
    return true;
}

void Navigator::go_to(const RunPosition& place) { set_position(place); }

void Navigator::go_to_next_difference() {
    const std::optional<std::uint64_t> decision = comparison_.find_difference();
    if (!decision) return;
    cancel_pending_move();
    state_.view.playing = false;
    state_.view.inside_step = 0;
    state_.a().session().seek(StepEventKind::decision, *decision);
    comparison_.move_b_after(*decision);
    history_.keep_position_visible();
    state_.say(fmt::format("Decision {} differs.", group_digits(*decision)));
}

void Navigator::go_to_next_trace_mismatch(int direction) {
    if (!state_.is_open()) return;
    RunTraceComparison* const trace_comparison = state_.trace_comparison();
    if (trace_comparison == nullptr)
        return state_.say("This scenario was not made from a trace that is open in this window.");
    state_.view.playing = false;
    const Deadline end = state_.deadline_after(kWait);
    state_.simulate(state_.a(), end, [] { return false; });
    trace_comparison->work(end);
    cancel_pending_move();
    if (!trace_comparison->is_complete()) {
        pending_mismatch_direction_ = direction;
        return state_.say("Going to the mismatch: the run is being compared with the trace.");
    }
    const std::vector<RunTraceComparison::Mismatch>& mismatches = trace_comparison->mismatches();
    const sim::Globals& here = state_.a().session().machine().globals();
    std::size_t place = mismatches.size();  // size(): none
    if (at_mismatch_.run == state_.a().id() && here.now == at_mismatch_.at.time &&
        here.events == at_mismatch_.at.events) {
        // An index of -1 wraps around to a value above size().
        place = at_mismatch_.place + static_cast<std::size_t>(direction);
    } else {
        // Finds the first mismatch after the position or, when going back, the last one before it.
        const auto found = std::find_if(mismatches.begin(), mismatches.end(), [&](const auto& p) {
            const bool is_here = p.decision > 0 ? p.decision == here.decisions : p.time == here.now;
            const bool is_behind = p.decision > 0 ? p.decision > here.decisions : p.time > here.now;
            return is_behind || (is_here && direction < 0);
        });
        place = static_cast<std::size_t>(found - mismatches.begin()) - (direction > 0 ? 0 : 1);
    }
    if (place >= mismatches.size())
        return state_.say(fmt::format("No mismatch with the trace {} this position. {}.",
                                      direction > 0 ? "after" : "before", trace_comparison->summary()));
    if (mismatches[place].decision > 0)
        state_.a().session().seek(StepEventKind::decision, mismatches[place].decision);
    else
        state_.a().session().seek(mismatches[place].time);
    update_after_move();
    at_mismatch_ = {state_.a().id(), place, position()};
    history_.keep_position_visible();
    state_.say(trace_comparison->mismatch_text(mismatches[place]));
}

void Navigator::step(StepEventKind kind, int direction) {
    if (!state_.is_open()) return;
    state_.view.playing = false;
    state_.view.prediction.reset();
    sim::Session& session = state_.a().session();
    if (direction > 0) {
        // The next event of this kind may be hours of simulated time away, so the simulation is limited to
        // kWait.
        const sim::Moment& simulated_end = state_.a().history().simulated_end();
        const std::uint64_t next = sim::count_steps(kind, session.machine(), session.statistics()) + 1;
        const auto is_there = [&] {
            return sim::count_steps(kind, simulated_end.machine, simulated_end.statistics) >= next;
        };
        state_.simulate(state_.a(), state_.deadline_after(kWait), is_there);
        if (!state_.a().history().is_complete() && !is_there()) {
            cancel_pending_move();
            pending_step_ = kind;
            show_pending_message(fmt::format("the next {}", to_string(kind)));
            return;
        }
    }
    const bool went = direction > 0 ? session.step_forward(kind) : session.step_back(kind);
    if (!went)
        state_.say(direction > 0 ? "This is the end of the run." : "This is the start of the run.");
    else
        state_.model.message.clear();
    update_after_move();
    history_.keep_position_visible();
}

void Navigator::step_at_depth_level(int direction) {
    if (!state_.is_open()) return;
    switch (state_.view.level) {
        case DepthLevel::time:
            step(StepEventKind::event, direction);
            return;
        case DepthLevel::context_switch:
            step(StepEventKind::context_switch, direction);
            return;
        case DepthLevel::inside:
            break;
    }
    // After the last line of a schedule(), goes to the first line of the next schedule(); backwards, to the
    // last line of the previous schedule().
    const DecisionDetail* inside = state_.a().is_at_decision() ? state_.a().last_decision() : nullptr;
    const std::size_t steps = inside == nullptr ? 0 : inside->steps.size();
    if (direction > 0 && state_.view.inside_step + 1 < steps)
        ++state_.view.inside_step;
    else if (direction < 0 && state_.view.inside_step > 0 && steps > 0)
        --state_.view.inside_step;
    else if (direction > 0)
        step(StepEventKind::decision, 1);
    else {
        step(StepEventKind::decision, -1);
        const DecisionDetail* before = state_.a().last_decision();
        if (before != nullptr && !before->steps.empty()) state_.view.inside_step = before->steps.size() - 1;
    }
}

void Navigator::enter_depth_level() {
    state_.view.subject.clear();
    state_.view.presented.clear();
    if (state_.view.level == DepthLevel::time) {
        state_.view.level = DepthLevel::context_switch;
        state_.say(fmt::format(
            "Now {} and {} go from switch to switch; press {} again to look inside schedule().",
            state_.services.key_of_command("step.forward"), state_.services.key_of_command("step.back"),
            state_.services.key_of_command("inside.in")));
    } else if (state_.view.level == DepthLevel::context_switch && state_.is_open() &&
               state_.a().last_decision() != nullptr) {
        show_decision_step(0);
        state_.say(fmt::format("Now {} and {} go from line to line of schedule(); {} plays the lines.",
                               state_.services.key_of_command("step.forward"),
                               state_.services.key_of_command("step.back"),
                               state_.services.key_of_command("play")));
    }
}

void Navigator::show_decision_step(std::size_t step) {
    const DecisionDetail* const decision = state_.a().last_decision();
    if (decision == nullptr) return;
    // Moves to the position of the decision, so that all panes show the same position.
    if (!state_.a().is_at_decision()) {
        state_.a().session().seek(StepEventKind::decision, decision->view.number);
        update_after_move();
        history_.keep_position_visible();
    }
    state_.view.level = DepthLevel::inside;
    state_.view.inside_step = std::min(step, decision->steps.size() - 1);
}

void Navigator::leave_depth_level() {
    state_.view.subject.clear();
    state_.view.presented.clear();
    if (state_.view.level == DepthLevel::inside)
        state_.view.level = DepthLevel::context_switch;
    else if (state_.view.level == DepthLevel::context_switch)
        state_.view.level = DepthLevel::time;
    else if (!state_.view.alone.empty())
        state_.view.alone.clear();
    else
        state_.view.selection.reset();
}

void Navigator::seek_beginning() {
    if (!state_.is_open()) return;
    state_.a().session().seek_beginning();
    update_after_move();
    history_.keep_position_visible();
}

void Navigator::seek_end() {
    if (!state_.is_open()) return;
    state_.a().session().seek_end();
    update_after_move();
    history_.keep_position_visible();
}

}  // namespace ui
