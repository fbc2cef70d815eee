#include "ui/app/tour.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/app/app.h"
#include "ui/app/top_bar.h"
#include "ui/panels/drawing.h"
#include "ui/view/decision_cursor.h"

namespace ui {
namespace {

constexpr float kPadding = 6, kStripe = 4;  // pixels at scale 1

const std::vector<sim::TourStop>* shown_tour(const App& app) {
    if (app.model().a == nullptr || !app.view().show_tour) return nullptr;
    const std::vector<sim::TourStop>& tour = app.model().a->scenario().tour;
    return tour.empty() ? nullptr : &tour;
}

// The heading of the band, such as "2/5 The two-line patch"; before the first stop, how to start the tour.
std::string heading(const App& app, const std::vector<sim::TourStop>& tour) {
    if (!app.view().stop)
        return fmt::format("A tour of {} stops: {} starts it", tour.size(), app.key_of("tour.next"));
    const std::size_t n = *app.view().stop;
    return fmt::format("{}/{}  {}", n + 1, tour.size(), tour[n].title);
}

// The caption of the stop. It would reveal the outcome that the user is asked to predict, so it is hidden
// until the user has answered.
std::string caption(const App& app, const std::vector<sim::TourStop>& tour) {
    if (!app.view().stop) return {};
    return is_outcome_hidden(app.view()) ? "The caption of this stop appears after your answer."
                                         : tour[*app.view().stop].caption;
}

float band_text_width(const Frame& frame) {
    return ImGui::GetIO().DisplaySize.x - frame.px(2 * 10 + kStripe + 2 * kPadding);
}

// True if there is room for only one line about the tour. The limit is lower if a single pane fills the
// window.
bool is_short(const Frame& frame) {
    return ImGui::GetIO().DisplaySize.y < frame.px(frame.view.alone.empty() ? 700 : 560);
}

}  // namespace

std::string tour_heading(const App& app) {
    const std::vector<sim::TourStop>* tour = shown_tour(app);
    return tour == nullptr ? std::string{} : heading(app, *tour);
}

std::string tour_caption(const App& app) {
    const std::vector<sim::TourStop>* tour = shown_tour(app);
    return tour == nullptr ? std::string{} : caption(app, *tour);
}

float tour_height(const App& app, const Frame& frame) {
    const std::vector<sim::TourStop>* tour = shown_tour(app);
    if (tour == nullptr) return 0;
    const float heading_height = ImGui::GetFrameHeightWithSpacing();
    float most = 0;
    if (!is_short(frame))
        for (const sim::TourStop& stop : *tour)
            most = std::max(
                most, ImGui::CalcTextSize(stop.caption.c_str(), nullptr, false, band_text_width(frame)).y);
    return std::min(heading_height + most + frame.px(2 * kPadding + 4), ImGui::GetIO().DisplaySize.y * 0.4F);
}

void draw_tour(App& app, Frame& frame) {
    const std::vector<sim::TourStop>* tour = shown_tour(app);
    if (tour == nullptr) return;
    const float height = tour_height(app, frame) - frame.px(4);
    const float left = frame.px(4);
    const ImVec2 at{left, ImGui::GetWindowHeight() - footer_height(app.view()) - frame.px(6) - height};
    const ImVec2 size{ImGui::GetWindowWidth() - 2 * left, height};
    set_cursor_pos(at);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                        ImVec2(frame.px(kStripe + kPadding + 4), frame.px(kPadding)));
    ImGui::PushStyleColor(ImGuiCol_ChildBg, frame.theme.panel);
    ImGui::BeginChild("tour", size, true, ImGuiWindowFlags_NoNav);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    const ImVec2 corner = ImGui::GetWindowPos();
    fill_rect(*ImGui::GetWindowDrawList(), corner, {corner.x + frame.px(kStripe), corner.y + size.y},
              frame.theme.accent);

    const auto button = [&](const char* label, const char* id, bool possible) {
        if (!possible) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.4F);
        if (ImGui::Button(label) && possible) app.ask([id](App& a) { a.commands().find(id)->run(a); });
        if (!possible) ImGui::PopStyleVar();
        if (ImGui::IsItemHovered())
            ImGui::SetTooltip("%s (%s)", app.commands().find(id)->title.c_str(), app.key_of(id).c_str());
        ImGui::SameLine(0, frame.px(4));
    };
    const std::optional<std::size_t> stop = app.view().stop;
    button("◀", "tour.previous", stop && *stop > 0);
    button("▶", "tour.next", !stop || *stop + 1 < tour->size());
    const std::string title = heading(app, *tour), words = caption(app, *tour);
    const float close = ImGui::CalcTextSize("×").x + 2 * ImGui::GetStyle().FramePadding.x;
    const float room = ImGui::GetWindowWidth() - ImGui::GetCursorPosX() - close - frame.px(24);
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.accent);
    if (is_short(frame)) {
        const std::string line = words.empty() ? title : title + ": " + words;
        const std::string cut = cut_to(line, room);
        ImGui::TextUnformatted(cut.c_str());
        if (cut != line && ImGui::IsItemHovered()) {
            ImGui::BeginTooltip();
            ImGui::PushTextWrapPos(ImGui::GetIO().DisplaySize.x * 0.8F);
            ImGui::TextUnformatted(line.c_str());
            ImGui::PopTextWrapPos();
            ImGui::EndTooltip();
        }
    } else {
        text_cut(title, room);
    }
    ImGui::PopStyleColor();
    ImGui::SameLine(ImGui::GetWindowWidth() - close - frame.px(kStripe + kPadding + 4));
    if (ImGui::Button("×")) frame.ask([](Control& control) { control.tour().toggle(); });
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("Hide the tour (%s shows it again)", app.key_of("tour").c_str());
    if (!is_short(frame)) {
        paragraph(words);
    }
    ImGui::EndChild();
}

std::string tour_text(const App& app) {
    const std::vector<sim::TourStop>* tour = shown_tour(app);
    if (tour == nullptr) return {};
    const std::string words = caption(app, *tour);
    return fmt::format("\n== Tour\n{}\n{}", heading(app, *tour), words.empty() ? "" : words + "\n");
}

}  // namespace ui
