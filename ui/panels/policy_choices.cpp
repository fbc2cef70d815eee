#include "ui/panels/policy_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/view/edited_script.h"

namespace ui {
namespace {

// The policy scripts in the current directory, read when the drop-down box opens.
struct CachedScriptFiles {
    std::vector<std::string> files;
};

// The spec of the choice to highlight for the policy `current_spec`. If no choice has this spec, the choice
// of the same policy without options is highlighted. Returns an empty string if there is no such choice
// either.
std::string choice_to_highlight(const std::vector<PolicyGroup>& groups, const std::string& current_spec) {
    std::string same_policy;
    for (const PolicyGroup& group : groups)
        for (const PolicyGroup::Choice& choice : group.choices) {
            if (choice.spec == current_spec) return current_spec;
            if (choice.spec == sim::name_in_spec(current_spec)) same_policy = choice.spec;
        }
    return same_policy;
}

}  // namespace

std::string draw_policy_choices(Frame& frame, const std::string& current_spec, bool with_variants) {
    CachedScriptFiles& kept = frame.memory.of<CachedScriptFiles>();
    if (ImGui::IsWindowAppearing()) kept.files = scripts_in("");
    std::vector<std::string> own = frame.model.own_scripts;
    for (const std::string& file : kept.files)
        if (std::find(own.begin(), own.end(), file) == own.end()) own.push_back(file);
    const std::vector<PolicyGroup> groups = policy_groups(own, with_variants);
    const std::string present = choice_to_highlight(groups, current_spec);
    std::string chosen;
    for (const PolicyGroup& group : groups) {
        dim_text(frame, group.title);
        for (const PolicyGroup::Choice& choice : group.choices) {
            const std::string title =
                escape_for_imgui_label(choice.title.empty() ? choice.spec : choice.title);
            ImGui::PushID(choice.spec.c_str());
            const bool is_present = choice.spec == present;
            if (ImGui::Selectable(("  " + title).c_str(), is_present) && !is_present) chosen = choice.spec;
            if (is_present && ImGui::IsWindowAppearing() && is_keyboard_navigation_on())
                ImGui::SetItemDefaultFocus();
            ImGui::PopID();
            explain_item(choice.title.empty() ? choice.summary
                                              : fmt::format("{}: {}", choice.spec, choice.summary));
        }
    }
    return chosen;
}

}  // namespace ui
