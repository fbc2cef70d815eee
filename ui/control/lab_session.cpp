#include "ui/control/lab_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/whole_file.h"

namespace ui {

// What the person has set, whatever run of the laboratory is open.
std::vector<std::string> LabSession::own_sets() const {
    std::vector<std::string> sets;
    for (const std::string& set : desk_.model.sets) {
        const auto put =
            std::find_if(puts_.begin(), puts_.end(), [&](const auto& p) { return p.first == set; });
        if (put == puts_.end())
            sets.push_back(set);
        else if (!put->second.empty())
            sets.push_back(put->second);
    }
    return sets;
}

// Returns whether it could be opened.
bool LabSession::use(std::vector<std::string> sets, const std::string& policy) {
    try {
        desk_.use(std::move(sets), policy);
        return true;
    } catch (const std::exception& problem) {
        desk_.fail(problem);
        return false;
    }
}

void LabSession::open_run(std::uint64_t run) {
    if (!desk_.is_open() || !laboratory_.is_there()) return;
    const std::vector<std::string> own = own_sets();
    const std::vector<std::string> sets = laboratory_.sets_of(run);
    const std::string policy = laboratory_.policy_of(run);
    const Before was{desk_.model.sets, desk_.a().recording().policy().spec(), navigator_.standing()};
    if (!use(sets, policy)) return;
    if (!before_) before_ = was;
    desk_.model.can_leave_lab_run = true;
    puts_.clear();
    std::string what;
    for (const std::string& set : sets) {
        if (std::find(own.begin(), own.end(), set) != own.end()) continue;
        const std::string start = set.substr(0, set.find('=') + 1);
        const auto old = std::find_if(own.begin(), own.end(),
                                      [&](const std::string& other) { return other.starts_with(start); });
        puts_.emplace_back(set, old == own.end() ? std::string{} : *old);
        what += set + ", ";
    }
    desk_.view.alone.clear();
    desk_.view.playing = false;
    desk_.view.level = DepthLevel::time;
    desk_.view.selection.reset();
    navigator_.go_to_start();
    comparison_.take_along();
    desk_.say(fmt::format("Open: {}under {}. \"Back\" in the laboratory goes back.", what, policy));
}

void LabSession::leave_run() {
    if (!desk_.is_open() || !before_) return;
    const Before before = *before_;
    if (!use(before.sets, before.policy)) return;
    forget_runs();
    navigator_.arrive(before.standing, kWait);
    history_.show_position();
    desk_.say("Back in the run that was open before.");
}

void LabSession::forget_runs() {
    before_.reset();
    puts_.clear();
    desk_.model.can_leave_lab_run = false;
}

void LabSession::ask() {
    if (desk_.is_open() && !desk_.view.laboratory.pointer.empty())
        laboratory_.ask({desk_.source(), own_sets(), desk_.is_carried() ? desk_.text() : sim::ScenarioText{}},
                        desk_.view.laboratory);
}

void LabSession::copy_command() {
    if (!laboratory_.is_there()) return;
    if (desk_.is_carried())
        return desk_.say(fmt::format("{} {}: save it first ({}), for a command needs a file.", desk_.source(),
                                     desk_.where_it_is_from(), desk_.around.key_of("save")));
    const std::string command = laboratory_.command();
    desk_.around.set_clipboard(command + "\n");
    desk_.say("Copied: " + command);
}

void LabSession::save_figure() {
    if (!laboratory_.is_there() || !laboratory_.is_complete()) return;
    for (int i = 1; i < 1000; ++i) {
        const std::string name = fmt::format("{}-{:03}", laboratory_.spec().scenario, i);
        const std::string results = name + ".jsonl", figure = name + ".svg";
        if (std::filesystem::exists(results) || std::filesystem::exists(figure)) continue;
        try {
            sim::write_whole_file(results, laboratory_.results_file());
            sim::write_whole_file(figure, laboratory_.figure(results));
            desk_.say(fmt::format("Saved {} and its results, {}", figure, results));
        } catch (const std::exception& problem) {
            desk_.say(problem.what());
        }
        return;
    }
    desk_.say("There are 999 figures of this name already.");
}

}  // namespace ui
