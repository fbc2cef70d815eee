#include "ui/control/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/replay/difference.h"
#include "ui/view/format.h"

namespace ui {

using sim::Nanos;

void Comparison::compare_with(const std::string& policy) {
    if (!state_.is_open()) return;
    try {
        state_.compare(policy);
    } catch (const sim::PolicyError& problem) {
        state_.show_error(problem);
        return;
    }
    look_from_ = 0;
    state_.simulate(*state_.b(), state_.deadline_after(kWait),
                    [this] { return state_.b()->end() > state_.a().now(); });
    sync_run_b();
}

void Comparison::compare_with_intervention(sim::Intervention intervention) {
    if (!state_.is_open()) return;
    if (intervention.kind == sim::Intervention::Kind::policy) {
        try {
            state_.scripts.make_policy(intervention.policy, state_.scenario().cpus);
        } catch (const sim::PolicyError& problem) {
            return state_.say(problem.what());
        }
        intervention.scripts = state_.scripts.script_texts_for_policy(intervention.policy);
        state_.model.own_scripts = state_.scripts.names();
    }
    const std::string why_not = sim::refusal(intervention, state_.a().session().machine());
    if (!why_not.empty()) {
        state_.say(why_not);
        return;
    }
    try {
        state_.compare(std::make_unique<Run>(state_.a().session().what_if(intervention)));
    } catch (const sim::PolicyError& problem) {
        state_.show_error(problem);
        return;
    }
    look_from_ = 0;
    is_late_ = false;
    state_.say("Run A is unchanged; run B shows the effect of the intervention.");
}

void Comparison::toggle() {
    if (!state_.is_open()) return;
    if (state_.b() != nullptr) {
        end();
        return;
    }
    const sim::NamedPolicy& policy = state_.a().history().policy();
    std::string other = policy.name == "linux-2.0" ? "linux-2.0:yield=one_tick" : "linux-2.0";
    const auto yield = policy.options.find("yield");
    if (policy.name == "linux-2.0" && yield != policy.options.end() && yield->second == "one_tick")
        other = "linux-2.0";
    compare_with(other);
}

void Comparison::sync_run_b() {
    if (!state_.is_open() || state_.b() == nullptr) return;
    Run& b = *state_.b();
    b.session().seek(state_.a().now() + Nanos{1});
    is_late_ = !b.history().is_complete() && b.end() <= state_.a().now();
}

void Comparison::continue_sync() {
    if (state_.b() == nullptr || !is_late_) return;
    if (state_.b()->history().is_complete() || state_.b()->end() > state_.a().now()) sync_run_b();
}

void Comparison::sync_to_position() {
    look_from_ = 0;
    sync_run_b();
}

std::optional<std::uint64_t> Comparison::find_difference() {
    if (!state_.is_open()) return std::nullopt;
    if (state_.b() == nullptr) {
        state_.say(fmt::format("There is no second run: {} compares with another policy.",
                               state_.services.key_of_command("compare")));
        return std::nullopt;
    }
    constexpr std::uint64_t kMost = 2'000'000;  // most decisions per call, also without a time limit
    constexpr std::uint64_t kPiece = 4096;
    Run &a = state_.a(), &b = *state_.b();
    const std::uint64_t from = std::max(a.session().machine().globals().decisions + 1, look_from_);
    const Deadline end = state_.deadline_after(kWait);
    sim::DifferenceSearchResult search{.decision = {}, .next = from, .over = false};
    while (!search.decision && !search.over && search.next < from + kMost && Deadline::clock::now() < end) {
        for (Run* run : {&a, &b})
            state_.simulate(*run, end, [&] {
                return run->history().simulated_end().machine.globals().decisions >= search.next + kPiece;
            });
        const std::uint64_t piece =
            std::min(a.events_of_equal_replay_time(kPiece), b.events_of_equal_replay_time(kPiece));
        search = sim::find_difference(a.history(), b.history(), search.next,
                                      std::min(piece, from + kMost - search.next));
        if (search.over && (!a.history().is_complete() || !b.history().is_complete())) {
            search.over = false;
            if (!state_.wait_without_limit) break;
        }
    }
    if (search.decision) return search.decision;
    state_.model.difference.reset();
    look_from_ = search.over ? from : search.next;
    state_.say(
        search.over
            ? fmt::format(
                  "From decision {} to the end, both runs choose the same tasks; only the times may differ.",
                  group_digits(from))
        : search.next > from
            ? fmt::format("Decisions {} to {} are the same; {} searches further.", group_digits(from),
                          group_digits(search.next - 1), state_.services.key_of_command("compare.next"))
            : fmt::format("Decision {} is not simulated yet.", group_digits(from)));
    return std::nullopt;
}

void Comparison::move_b_after(std::uint64_t decision) {
    look_from_ = 0;
    is_late_ = false;
    state_.b()->session().seek(sim::StepEventKind::decision, decision);
    state_.model.difference = decision;
}

}  // namespace ui
