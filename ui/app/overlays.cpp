#include "ui/app/overlays.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/app/app.h"
#include "ui/app/overlay_parts.h"
#include "ui/panels/drawing.h"
#include "ui/platform/imgui_versions.h"

namespace ui {
namespace {

void draw_error_box(App& app, Frame& frame) {
    const std::string& error = frame.model.error;
    const bool kept = frame.model.a != nullptr;
    const auto lines = static_cast<float>(std::count(error.begin(), error.end(), '\n') + 1);
    if (!overlays::begin_overlay_box(kept ? "The input could not be opened; the open run stays"
                                          : "The input could not be "
                                            "opened",
                                     frame, 760, 110 + std::min(lines, 20.0F) * 36))
        app.dismiss_error();
    begin_child("problems", {0, -ImGui::GetFrameHeightWithSpacing()});
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
    ImGui::TextWrapped("%s", error.c_str());
    ImGui::PopStyleColor();
    ImGui::EndChild();
    if (ImGui::Button("Close")) app.dismiss_error();
    ImGui::SameLine();
    if (ImGui::Button("Copy")) app.ask([error](App& a) { a.copy_text(error + "\n"); });
    ImGui::End();
}

}  // namespace

void draw_overlays(App& app, Frame& frame) {
    if (app.overlay() != App::Overlay::none || !frame.model.error.empty()) {
        // The shade blocks input to everything below it. The shade must not receive the focus when it
        // appears, because ImGui would then draw it above the box.
        const ImVec2 whole = ImGui::GetIO().DisplaySize;
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(whole);
        ImGui::SetNextWindowBgAlpha(0.5F);
        ImGui::Begin("shade", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                         ImGuiWindowFlags_NoNav);
        const bool is_click_outside =
            ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
        ImGui::End();
        // A click outside the box closes the error or, without an error, the box.
        if (is_click_outside && !frame.model.error.empty())
            app.dismiss_error();
        else if (is_click_outside)
            app.show_overlay(App::Overlay::none);
    }
    switch (app.overlay()) {
        case App::Overlay::none:
            break;
        case App::Overlay::help:
            overlays::draw_help(app, frame);
            break;
        case App::Overlay::palette:
            overlays::draw_command_palette(app, frame);
            break;
        case App::Overlay::picker:
            overlays::draw_scenario_picker(app, frame);
            break;
        case App::Overlay::go_to:
            overlays::draw_go_to_box(app, frame);
            break;
        case App::Overlay::save:
        case App::Overlay::save_script:
        case App::Overlay::export_run:
            overlays::draw_save_dialog(app, frame);
            break;
        case App::Overlay::tour_stop:
            overlays::draw_tour_stop_dialog(app, frame);
            break;
        case App::Overlay::unsaved:
            overlays::draw_unsaved_question(app, frame);
            break;
        case App::Overlay::script:
        case App::Overlay::script_to_compare:
            overlays::draw_script_picker(app, frame);
            break;
    }
    if (!frame.model.error.empty()) draw_error_box(app, frame);
}

}  // namespace ui
