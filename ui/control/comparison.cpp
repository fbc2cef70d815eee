#include "ui/control/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/replay/difference.h"
#include "ui/view/format.h"

namespace ui {

using sim::Nanos;

void Comparison::compare_with(const std::string& policy) {
    if (!desk_.is_open()) return;
    try {
        desk_.compare(policy);
    } catch (const sim::PolicyError& problem) {
        desk_.fail(problem);
        return;
    }
    look_from_ = 0;
    desk_.simulate(*desk_.b(), desk_.deadline(kWait), [this] { return desk_.b()->end() > desk_.a().now(); });
    take_along();
}

void Comparison::what_if(sim::Intervention intervention) {
    if (!desk_.is_open()) return;
    if (intervention.kind == sim::Intervention::Kind::policy) {
        try {
            desk_.scripts.make(intervention.policy, desk_.scenario().cpus);
        } catch (const sim::PolicyError& problem) {
            return desk_.say(problem.what());
        }
        intervention.scripts = desk_.scripts.text_for(intervention.policy);
        desk_.model.own_scripts = desk_.scripts.names();
    }
    const std::string why_not = sim::refusal(intervention, desk_.a().session().machine());
    if (!why_not.empty()) {
        desk_.say(why_not);
        return;
    }
    try {
        desk_.compare(std::make_unique<Run>(desk_.a().session().what_if(intervention)));
    } catch (const sim::PolicyError& problem) {
        desk_.fail(problem);
        return;
    }
    look_from_ = 0;
    is_late_ = false;
    desk_.say("Run A goes on as it did; run B is what would have happened.");
}

void Comparison::toggle() {
    if (!desk_.is_open()) return;
    if (desk_.b() != nullptr) {
        end();
        return;
    }
    const sim::NamedPolicy& policy = desk_.a().recording().policy();
    std::string other = policy.name == "linux-2.0" ? "linux-2.0:yield=one_tick" : "linux-2.0";
    const auto yield = policy.options.find("yield");
    if (policy.name == "linux-2.0" && yield != policy.options.end() && yield->second == "one_tick")
        other = "linux-2.0";
    compare_with(other);
}

void Comparison::take_along() {
    if (!desk_.is_open() || desk_.b() == nullptr) return;
    Run& b = *desk_.b();
    b.session().seek(desk_.a().now() + Nanos{1});
    is_late_ = !b.recording().is_complete() && b.end() <= desk_.a().now();
}

void Comparison::catch_up() {
    if (desk_.b() == nullptr || !is_late_) return;
    if (desk_.b()->recording().is_complete() || desk_.b()->end() > desk_.a().now()) take_along();
}

void Comparison::moved() {
    look_from_ = 0;
    take_along();
}

std::optional<std::uint64_t> Comparison::find_difference() {
    if (!desk_.is_open()) return std::nullopt;
    if (desk_.b() == nullptr) {
        desk_.say(fmt::format("There is no second run: {} compares with another policy.",
                              desk_.around.key_of("compare")));
        return std::nullopt;
    }
    constexpr std::uint64_t kMost = 2'000'000;  // decisions at a time, where time does not matter
    constexpr std::uint64_t kPiece = 4096;
    Run &a = desk_.a(), &b = *desk_.b();
    const std::uint64_t from = std::max(a.session().machine().globals().decisions + 1, look_from_);
    const Deadline end = desk_.deadline(kWait);
    sim::DifferenceSearch search{.decision = {}, .next = from, .over = false};
    while (!search.decision && !search.over && search.next < from + kMost && Deadline::clock::now() < end) {
        for (Run* run : {&a, &b})
            desk_.simulate(*run, end, [&] {
                return run->recording().tip().machine.globals().decisions >= search.next + kPiece;
            });
        const std::uint64_t piece = std::min(a.affordable(kPiece), b.affordable(kPiece));
        search = sim::find_difference(a.recording(), b.recording(), search.next,
                                      std::min(piece, from + kMost - search.next));
        if (search.over && (!a.recording().is_complete() || !b.recording().is_complete())) {
            search.over = false;
            if (!desk_.patient) break;
        }
    }
    if (search.decision) return search.decision;
    desk_.model.difference.reset();
    look_from_ = search.next;
    desk_.say(search.over ? fmt::format("No decision from {} to the end differs.", grouped(from))
              : search.next > from
                  ? fmt::format("Decisions {} to {} are the same; {} looks further.", grouped(from),
                                grouped(search.next - 1), desk_.around.key_of("compare.next"))
                  : fmt::format("Decision {} is not simulated yet.", grouped(from)));
    return std::nullopt;
}

void Comparison::stand_after(std::uint64_t decision) {
    look_from_ = 0;
    is_late_ = false;
    desk_.b()->session().seek(sim::StepKind::decision, decision);
    desk_.model.difference = decision;
}

}  // namespace ui
