#include "ui/app/bottom_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "sim/base/text.h"
#include "ui/app/app.h"
#include "ui/app/top_bar.h"
#include "ui/app/tour.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"

namespace ui {
namespace {

constexpr float kPadding = 5, kStripe = 4;  // pixels at scale 1

// A text of the band, such as the caption of the tour.
struct BarSection {
    std::string text;
    ImU32 colour;
};

struct BarPage {
    std::vector<BarSection> lines;
};

// Identifies the content of the band. When the content changes, the band shows its first page again.
struct BottomBarContent {
    std::size_t hash = 0;
};

// Hints on the most useful keys.
std::array<std::string, 3> key_hints(const App& app) {
    const auto key = [&](const char* id) {
        const Command* const command = app.commands().find(id);
        return command->keys.empty() ? "" : display_name(command->keys.front());
    };
    const char* const what[] = {"event", "switch", "line of schedule()"};
    return {
        fmt::format("{} and {} step forward and back by one {}.   {}: next switch   {}: yield   {}: "
                    "recalculation   {}: tick   (Shift: previous)",
                    key("step.forward"), key("step.back"), what[static_cast<std::size_t>(app.view().level)],
                    key("step.switch.forward"), key("step.yield.forward"), key("step.recalculation.forward"),
                    key("step.tick.forward")),
        fmt::format("{} goes one level in: to switches, then to lines of schedule(); {} goes one level out. "
                    "  {}: predict the next task",
                    key("inside.in"), key("inside.out"), key("predict")),
        fmt::format("{} plays the run.   {} compares with another policy, {} goes to the next decision that "
                    "differs. "
                    "  {}{} shows "
                    "all keys.",
                    key("play"), key("compare"), key("compare.next"),
                    app.model().recorded == nullptr
                        ? ""
                        : key("compare.next_recorded") + ": the next mismatch with the trace.   ",
                    key("help"))};
}

std::string status_text(const Model& model) {
    std::string status = progress_text(*model.a);
    for (const std::string& next : {sim::printable(model.exporting), model.message})
        if (!next.empty()) status += (status.empty() ? "" : "   ") + next;
    std::replace(status.begin(), status.end(), '\n', ' ');
    return status;
}

// True in windows of the width of a phone, where a line has few words.
bool is_narrow(const Frame& frame) { return ImGui::GetIO().DisplaySize.x < frame.px(400); }

// The number of lines below the line with the buttons.
std::size_t text_row_count(const Frame& frame) {
    const float lines = ImGui::GetIO().DisplaySize.y / ImGui::GetTextLineHeightWithSpacing();
    if (is_narrow(frame)) return lines > 30 ? 5 : lines > 20 ? 4 : 0;
    return lines > 30 ? 2 : lines > 18 ? 1 : 0;
}

// The texts below the line with the buttons, the most important one first.
std::vector<BarSection> bar_sections(const App& app, const Frame& frame, bool has_status) {
    const std::string caption = tour_caption(app);
    const bool needs_heading = has_status || is_narrow(frame);
    const std::string tour = needs_heading && !caption.empty() ? tour_heading(app) + ": " + caption : caption;
    const sim::Scenario& scenario = frame.model.a->scenario();
    std::string question = scenario.question;
    if (!scenario.hint.empty()) question += "   Hint: " + scenario.hint;
    std::vector<BarSection> sections{{tour, frame.theme.text}, {question, frame.theme.text}};
    if (frame.view.show_hints)
        for (const std::string& hint : key_hints(app)) sections.push_back({hint, frame.theme.text_dim});
    std::erase_if(sections, [](const BarSection& section) { return section.text.empty(); });
    return sections;
}

// Distributes the sections over pages with `rows` lines. A section starts a new page unless it fits on the
// page of the section before it.
std::vector<BarPage> pages_of(const Frame& frame, const std::vector<BarSection>& sections, std::size_t rows,
                              float width) {
    const std::string dots = " …";
    width -= text_width(frame.fonts.sans, dots);
    std::vector<BarPage> pages(1);
    for (const BarSection& section : sections) {
        const std::string lines = wrapped_text(frame.fonts.sans, section.text, width);
        const auto count = static_cast<std::size_t>(1 + std::count(lines.begin(), lines.end(), '\n'));
        if (!pages.back().lines.empty() && pages.back().lines.size() + count > rows) pages.emplace_back();
        for (std::size_t begin = 0; begin <= lines.size();) {
            const std::size_t end = std::min(lines.find('\n', begin), lines.size());
            if (pages.back().lines.size() == rows) {
                pages.back().lines.back().text += dots;
                pages.emplace_back();
            }
            pages.back().lines.push_back({lines.substr(begin, end - begin), section.colour});
            begin = end + 1;
        }
    }
    return pages;
}

// Shows the heading and all sections in a tooltip.
void show_bottom_bar_tooltip(const Frame& frame, const std::string& heading,
                             const std::vector<BarSection>& sections) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetIO().DisplaySize.x * 0.7F);
    coloured_text(frame.theme.accent, heading);
    for (const BarSection& section : sections) coloured_text(section.colour, section.text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

// Draws the buttons of the band, and records whether the mouse is over one of them.
class BottomBarButtons {
  public:
    explicit BottomBarButtons(App& app) : app_(app) {}

    void draw(const std::string& label, const char* id, bool possible = true) {
        ImGui::BeginDisabled(!possible);
        ImGui::PushID(id);
        if (ImGui::Button(label.c_str())) app_.ask([id](App& a) { a.commands().find(id)->run(a); });
        ImGui::PopID();
        ImGui::EndDisabled();
        if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
        ImGui::SetTooltip("%s   %s", app_.commands().find(id)->title.c_str(),
                          app_.key_of_command(id).c_str());
        hovered_ = true;
    }
    bool is_hovered() const { return hovered_; }

  private:
    App& app_;
    bool hovered_ = false;
};

}  // namespace

float bottom_bar_height(const Frame& frame) {
    return frame.px(2 * kPadding + 4) + ImGui::GetFrameHeight() +
           static_cast<float>(text_row_count(frame)) * ImGui::GetTextLineHeightWithSpacing();
}

void draw_bottom_bar(App& app, Frame& frame) {
    if (frame.model.a == nullptr) return;
    const float height = bottom_bar_height(frame), side = frame.px(4);
    const float inner = frame.px(kStripe + kPadding + 2);
    set_cursor_pos({side, ImGui::GetWindowHeight() - height});
    const ImVec2 size{ImGui::GetWindowWidth() - 2 * side, height - frame.px(4)};
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(inner, frame.px(kPadding)));
    ImGui::PushStyleColor(ImGuiCol_ChildBg, frame.theme.panel);
    begin_child("band", size, true, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    const ImVec2 corner = ImGui::GetWindowPos();
    fill_rect(*ImGui::GetWindowDrawList(), corner, {corner.x + frame.px(kStripe), corner.y + size.y},
              frame.theme.accent);

    const std::string status = status_text(frame.model), tour = tour_heading(app);
    const std::string& title = frame.model.a->scenario().title;
    const std::string heading = !status.empty()  ? status
                                : !tour.empty()  ? tour
                                : !title.empty() ? title
                                                 : frame.model.scenario_name;
    const std::vector<BarSection> sections = bar_sections(app, frame, !status.empty());
    const std::size_t rows = text_row_count(frame);
    const std::vector<BarPage> pages =
        pages_of(frame, sections, std::max<std::size_t>(rows, 1), size.x - 2 * inner);
    std::size_t& page = frame.view.band_page;
    const std::size_t hash = std::hash<std::string>{}(heading + tour_caption(app));
    if (std::exchange(frame.memory.of<BottomBarContent>().hash, hash) != hash) page = 0;
    page %= pages.size();

    BottomBarButtons buttons(app);
    if (!tour.empty()) {
        const std::optional<std::size_t> stop = frame.view.stop;
        const std::size_t stops = frame.model.a->scenario().tour.size();
        buttons.draw("◀", "tour.previous", stop && *stop > 0);
        ImGui::SameLine(0, frame.px(4));
        buttons.draw("▶", "tour.next", !stop || *stop + 1 < stops);
        ImGui::SameLine(0, frame.px(8));
    }
    const std::string more = fmt::format("more {}/{}", page + 1, pages.size());
    float right = size.x - inner;
    if (!tour.empty()) right -= button_width("×") + frame.px(4);
    if (pages.size() > 1) right -= button_width(more) + frame.px(4);
    const float room = right - ImGui::GetCursorPosX() - frame.px(8);
    // In a low window, the band has only the line with the buttons. This line then shows the text of the
    // current page.
    const bool is_low = rows == 0;
    std::string line = is_narrow(frame) && status.empty() && !tour.empty() && !is_low ? "tour" : heading;
    if (is_low && status.empty() && !pages[page].lines.empty())
        line =
            page == 0 && !tour.empty() ? heading + ": " + pages[0].lines[0].text : pages[page].lines[0].text;
    ImGui::AlignTextToFramePadding();
    coloured_text(is_low && page > 0 ? frame.theme.text : frame.theme.accent, ellipsized_text(line, room));
    if (pages.size() > 1) {
        ImGui::SameLine(right);
        buttons.draw(more, "view.band");
        right += button_width(more) + frame.px(4);
    }
    if (!tour.empty()) {
        ImGui::SameLine(right);
        buttons.draw("×", "tour");
    }
    if (!is_low) {
        set_cursor_pos({inner, frame.px(kPadding) + ImGui::GetFrameHeight() + frame.px(2)});
        for (const BarSection& text : pages[page].lines) {
            set_cursor_pos_x(inner);
            coloured_text(text.colour, ellipsized_text(text.text, size.x - 2 * inner));
        }
    }
    const bool is_cut = pages.size() > 1 || ellipsized_text(line, room) != line || is_low;
    if (is_cut && ImGui::IsWindowHovered() && !buttons.is_hovered())
        show_bottom_bar_tooltip(frame, heading, sections);
    ImGui::EndChild();
}

std::string bottom_bar_text(const App& app) {
    const Model& model = app.model();
    if (model.a == nullptr) return {};
    const sim::Scenario& scenario = model.a->scenario();
    std::string text;
    if (!scenario.title.empty()) text += scenario.title + "\n";
    if (!scenario.question.empty()) text += scenario.question + "\n";
    if (!scenario.hint.empty()) text += "Hint: " + scenario.hint + "\n";
    if (!model.exporting.empty()) text += sim::printable(model.exporting) + "\n";
    if (!model.message.empty()) text += model.message + "\n";
    for (const std::string& hint : key_hints(app)) text += hint + "\n";
    return text;
}

}  // namespace ui
