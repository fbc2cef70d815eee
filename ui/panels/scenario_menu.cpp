// The menu at a row of the form: the alternatives of a value, or the values that can be added. Typed text
// filters the list.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/base/human_text.h"
#include "sim/scenario/value_edit.h"
#include "ui/control/control.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/scenario_form.h"
#include "ui/platform/imgui_versions.h"

namespace ui {
namespace {

constexpr std::size_t kMostShown = 12;

std::vector<const FormEntry*> matching_entries(const FormMenu& menu) {
    std::vector<const FormEntry*> starts, contains, described;
    const std::string filter = sim::lower_case(menu.filter);
    for (const FormEntry& entry : menu.entries) {
        const std::size_t place = sim::lower_case(entry.label).find(filter);
        if (place == 0)
            starts.push_back(&entry);
        else if (place != std::string::npos)
            contains.push_back(&entry);
        else if (menu.filter.size() > 1 &&
                 sim::lower_case(entry.description).find(filter) != std::string::npos)
            described.push_back(&entry);
    }
    starts.insert(starts.end(), contains.begin(), contains.end());
    starts.insert(starts.end(), described.begin(), described.end());
    return starts;
}

void apply_entry(Frame& frame, ScenarioFormState& state, const FormEntry& entry) {
    if (entry.choice) {
        state.wanted = state.row()->pointer;
        state.opens_wanted = false;
        frame.ask([choice = *entry.choice, variant = entry.variant](Control& control) {
            control.edit_scenario(
                [&](const sim::JsonTree& tree) {
                    const sim::JsonValue* const value = sim::value_at(tree, choice.pointer);
                    if (value == nullptr) return tree.text();
                    return sim::with_value_at(tree, choice.pointer,
                                              sim::convert_to_variant(tree, *value, *choice.node, *variant));
                },
                {}, fmt::format("{}: {}", choice.pointer, variant->label));
        });
        return;
    }
    if (!entry.typed.empty()) {
        if (!state.row()->cell) return;
        frame.ask([cell = *state.row()->cell, typed = entry.typed](Control& control) {
            control.edit_scenario(
                [&](const sim::JsonTree& tree) {
                    return sim::with_value_at(tree, cell.pointer, json_from_entered_text(cell, typed));
                },
                {}, fmt::format("{}: {}", cell.pointer, typed));
        });
        return;
    }
    const PossibleAddition& addition = *entry.addition;
    const std::string place = addition.key.empty()
                                  ? fmt::format("{}/{}", entry.content.pointer, entry.index)
                                  : entry.content.pointer + "/" + sim::escaped_pointer_segment(addition.key);
    state.wanted = place;
    state.opens_wanted = true;
    state.toggled.erase(entry.content.pointer);
    frame.ask([place, addition, content = entry.content, index = entry.index](Control& control) {
        control.edit_scenario(
            [&](const sim::JsonTree& tree) {
                return addition.key.empty()
                           ? sim::with_inserted_element(tree, content.pointer, index, addition.json)
                           : sim::with_value_at(tree, place, addition.json, content.node);
            },
            {}, fmt::format("{} added", addition.label));
    });
}

// Typed characters extend the filter; the arrow keys Up and Down select another entry.
void handle_menu_keys(FormMenu& menu, std::size_t entry_count) {
    for (const ImWchar c : ImGui::GetIO().InputQueueCharacters)
        if (c < 0x7f && (c > ' ' || (c == ' ' && !menu.filter.empty()))) {
            menu.filter += static_cast<char>(c);
            menu.chosen = 0;
        }
    if (is_key_pressed(ImGuiKey_Backspace) && !menu.filter.empty()) menu.filter.pop_back();
    if (is_key_pressed(ImGuiKey_DownArrow) && menu.chosen + 1 < entry_count) ++menu.chosen;
    if (is_key_pressed(ImGuiKey_UpArrow) && menu.chosen > 0) --menu.chosen;
}

}  // namespace

FormMenu menu_of_choices(const ScenarioFormState& state, const FormRow& row) {
    FormMenu menu;
    for (const FormChoice& choice : row.choices)
        for (const sim::SchemaVariant& variant : choice.node->variants) {
            // Omits the variant "text" (a program step written as words), which only imported programs need.
            if (variant.label == "text" && choice.label != "text") continue;
            FormEntry entry{.heading = {},
                            .label = variant.label,
                            .description = variant.description,
                            .choice = choice,
                            .variant = &variant,
                            .addition = {}};
            if (&variant == &choice.node->variants.front() && menu.entries.size() > 0)
                entry.heading = "value";
            if (variant.label == choice.label && &choice == &row.choices.front())
                menu.chosen = menu.entries.size();
            menu.entries.push_back(std::move(entry));
        }
    if (row.cell)
        for (const std::string& name : suggested_values(*state.tree, *row.cell))
            menu.entries.push_back({.heading = {},
                                    .label = name,
                                    .description = {},
                                    .choice = {},
                                    .typed = name,
                                    .addition = {}});
    return menu;
}

FormMenu menu_of_additions(const ScenarioFormState& state, const FormRow& row) {
    FormMenu menu;
    const auto add = [&](const FormContainer& content, std::size_t index, const std::string& heading) {
        std::string shown = heading;
        for (PossibleAddition& addition : possible_additions(*state.tree, content)) {
            const std::string label = addition.label, description = addition.description;
            menu.entries.push_back({.heading = std::exchange(shown, {}),
                                    .label = label,
                                    .description = description,
                                    .choice = {},
                                    .addition = std::move(addition),
                                    .content = content,
                                    .index = index});
        }
    };
    const auto size_of = [&](const FormContainer& content) {
        return sim::value_at(*state.tree, content.pointer)->size();
    };
    if (row.content) add(*row.content, size_of(*row.content), "add inside this entry");
    const std::string parent = sim::parent_pointer(row.pointer);
    for (const FormRow& other : state.rows)
        if (other.content && !row.pointer.empty() && other.content->pointer == parent) {
            const bool is_list = other.content->node->kind == sim::SchemaNode::Kind::list;
            const std::size_t index =
                is_list ? *sim::element_index(row.pointer.substr(parent.size() + 1)) + 1 : 0;
            add(*other.content, index, is_list ? "add after this entry" : "add next to this entry");
        }
    return menu;
}

void draw_menu(Frame& frame, ScenarioFormState& state, ImVec2 at) {
    FormMenu& menu = *state.menu;
    std::vector<const FormEntry*> shown = matching_entries(menu);
    handle_menu_keys(menu, shown.size());
    shown = matching_entries(menu);
    menu.chosen = std::min(menu.chosen, shown.empty() ? 0 : shown.size() - 1);
    const FormEntry* taken = nullptr;
    if ((is_key_pressed(ImGuiKey_Enter) || is_key_pressed(kKeypadEnter) || is_key_pressed(ImGuiKey_Tab)) &&
        !shown.empty())
        taken = shown[menu.chosen];

    const float line = ImGui::GetTextLineHeightWithSpacing(), width = frame.px(420);
    std::size_t lines = 2;
    for (const FormEntry* const entry : shown) lines += entry->heading.empty() ? 1 : 2;
    const float height = line * static_cast<float>(std::min(lines, kMostShown)) + frame.px(14);
    const ImVec2 whole = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({std::min(at.x, whole.x - width), std::min(at.y, whole.y - height)});
    ImGui::SetNextWindowSize({width, height});
    ImGui::Begin("##form menu", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    dim_text(frame,
             menu.filter.empty() ? "Type to search, arrows and Enter choose, Esc closes" : menu.filter + "_");
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const FormEntry& entry = *shown[i];
        if (!entry.heading.empty() && menu.filter.empty()) dim_text(frame, entry.heading);
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable("##entry", i == menu.chosen, 0, {0, 0})) taken = &entry;
        ImGui::PopID();
        explain_item(entry.description);
        if (i == menu.chosen && menu.shown_chosen != i) {
            ImGui::SetScrollHereY();
            menu.shown_chosen = i;
        }
        ImGui::SameLine(frame.px(14));
        coloured_text(frame.theme.text, entry.label);
        ImGui::SameLine(frame.px(130));
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
        draw_ellipsized_text(entry.description, width - frame.px(150));
        ImGui::PopStyleColor();
    }
    if (shown.empty()) dim_text(frame, "no entry matches: press Backspace");
    const bool is_over = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                                ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    ImGui::End();
    if (taken != nullptr) apply_entry(frame, state, FormEntry(*taken));
    const bool is_click_elsewhere = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !is_over;
    if (taken != nullptr || is_click_elsewhere || is_key_pressed(ImGuiKey_Escape)) state.menu.reset();
}

}  // namespace ui
