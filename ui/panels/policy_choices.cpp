#include "ui/panels/policy_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ui/panels/panel_helpers.h"
#include "ui/view/edited_script.h"

namespace ui {
namespace {

// The policy scripts in the current directory, read when the drop-down box opens.
struct KeptFiles {
    std::vector<std::string> files;
};

}  // namespace

std::string policy_choices(Frame& frame, const std::string& shown, bool variants) {
    KeptFiles& kept = frame.memory.of<KeptFiles>();
    if (ImGui::IsWindowAppearing()) kept.files = scripts_in("");
    std::vector<std::string> own = frame.model.own_scripts;
    for (const std::string& file : kept.files)
        if (std::find(own.begin(), own.end(), file) == own.end()) own.push_back(file);
    std::string chosen;
    for (const PolicyGroup& group : policy_groups(own, variants)) {
        dim_text(frame, group.title);
        for (const PolicyGroup::Choice& choice : group.choices) {
            const std::string title = label_of(choice.title.empty() ? choice.spec : choice.title);
            ImGui::PushID(choice.spec.c_str());
            if (ImGui::Selectable(("  " + title).c_str(), choice.spec == shown) && choice.spec != shown)
                chosen = choice.spec;
            ImGui::PopID();
            explain_item(choice.title.empty() ? choice.summary
                                              : fmt::format("{}: {}", choice.spec, choice.summary));
        }
    }
    return chosen;
}

}  // namespace ui
