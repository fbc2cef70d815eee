#include "ui/view/saving.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/scenario/scenario_edit.h"
#include "ui/view/format.h"
#include "ui/view/knobs.h"

namespace ui {
namespace {

// Whether another change is of something around this place, which may say something else there.
bool lies_in_another(const std::string& pointer, const std::vector<std::string>& changes) {
    return std::any_of(changes.begin(), changes.end(), [&](const std::string& change) {
        return pointer.starts_with(change.substr(0, change.find('=')) + "/");
    });
}

// What was done by hand, as "kill hog.1 at 12.5ms".
std::string words_for(const sim::Intervention& done, const Run& run) {
    using Kind = sim::Intervention::Kind;
    const std::string at = " at " + instant(done.time);
    if (done.kind == Kind::policy) return done.policy + " from " + instant(done.time) + " on";
    const std::string name = run.name(done.task);
    if (done.kind == Kind::renice) return fmt::format("{} to priority {}{}", name, done.priority, at);
    return (done.kind == Kind::kill ? "kill " : "wake ") + name + at;
}

}  // namespace

std::vector<std::string> changes_to_save(const sim::ScenarioText& source, const Model& model) {
    const sim::Scenario before = sim::parse_scenario(source.file, source.text, {}, source.folder);
    std::vector<std::string> changes = model.sets;
    for (const Knob& knob : knobs_of(before))
        if (!lies_in_another(knob.pointer, model.sets))
            std::erase(changes, knob.pointer + "=" + setting(knob, value_of(knob, before)));
    const std::string policy = model.a->recording().policy().spec();
    if (policy != sim::make_policy(model.a->scenario().policy, model.a->scenario().cpus).spec())
        changes.push_back(fmt::format("/policy=\"{}\"", policy));
    return changes;
}

std::string changed_scenario(const sim::ScenarioText& source, const Model& model) {
    return sim::changed_text(source, changes_to_save(source, model));
}

std::vector<std::string> not_saved(const Model& model) {
    std::vector<std::string> lines;
    if (model.b == nullptr) return lines;
    const sim::Recording& b = model.b->recording();
    lines.push_back(fmt::format("the comparison with {}", b.policy().spec()));
    for (const sim::Intervention& done : b.interventions())
        lines.push_back(fmt::format("what was done in run B: {}", words_for(done, *model.b)));
    return lines;
}

std::string proposed_file(const sim::ScenarioText& source) {
    constexpr std::string_view kOwn = "-mine";
    const std::filesystem::path path = source.file;
    std::string stem = path.stem().string();
    if (!stem.ends_with(kOwn)) stem += kOwn;
    return (path.parent_path() / (stem + ".json")).string();
}

}  // namespace ui
