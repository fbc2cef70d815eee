#include "ui/control/control.h"

#include <algorithm>
#include <utility>

#include "ui/view/timeline_tracks.h"

namespace ui {

bool Control::open(const std::string& path_or_name, const std::string& policy) {
    try {
        desk_.open(path_or_name, policy);
    } catch (const std::exception& problem) {
        desk_.fail(problem);
        return false;
    }
    parts_.emplace(desk_);
    if (desk_.scenario().tour.empty() || !policy.empty())
        navigator().go_to_start();
    else
        tour().go_to_stop(0);
    return true;
}

void Control::set_policy(const std::string& spec) {
    if (!desk_.is_open()) return;
    try {
        const sim::Nanos now = navigator().heading();
        desk_.run_a(spec);
        navigator().arrive(now, kWait);
    } catch (const sim::PolicyError& problem) {
        desk_.fail(problem);
    }
}

// The scenario with these values: both runs of it anew, at the same instant.
void Control::use(std::vector<std::string> sets) {
    const sim::Nanos now = navigator().heading();
    if (desk_.use(std::move(sets), desk_.a().recording().policy().spec()))
        desk_.say("The comparison has ended: the scenario is another one now.");
    navigator().arrive(now, kMoment);
}

void Control::set_value(const std::string& pointer, const std::string& value) {
    if (!desk_.is_open()) return;
    std::vector<std::string> sets = desk_.model.sets;
    const std::string start = pointer + "=";
    std::erase_if(sets, [&](const std::string& set) { return set.starts_with(start); });
    sets.push_back(start + value);
    try {
        use(std::move(sets));
    } catch (const std::exception& problem) {
        desk_.fail(problem);
    }
}

void Control::reset_values() {
    if (!desk_.is_open() || desk_.model.sets.empty()) return;
    try {
        use({});
        laboratory().forget_runs();
    } catch (const std::exception& problem) {
        desk_.fail(problem);
    }
}

bool Control::work(Deadline deadline, int columns) {
    const auto now = Deadline::clock::now();
    bool more = desk_.is_open() && laboratory().work(is_patient() ? deadline : now + (deadline - now) / 2);
    for (Run* run : {desk_.model.a, desk_.model.b}) {
        if (run == nullptr) continue;
        more = run->work(deadline) || more;
        // What the panes will ask for: made again here, so that drawing only draws.
        run->inside();
        run->detail(shown_range(desk_.model, desk_.view), columns);
    }
    navigator().catch_up();
    look();
    return more;
}

}  // namespace ui
