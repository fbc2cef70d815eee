#include "ui/app/top_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/app/app.h"
#include "ui/app/layouts.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/policy_choices.h"
#include "ui/platform/shapes.h"
#include "ui/view/layouts.h"
#include "ui/view/speeds.h"

namespace ui {
namespace {

using sim::Nanos;
using sim::StepEventKind;

// Starts a new row of buttons if `width` does not fit in the current one, as on a telephone held upright.
void start_new_row_if_full(float width) {
    if (ImGui::GetCursorPosX() + width > ImGui::GetWindowWidth()) ImGui::NewLine();
}

// Draws a button that runs a command; the tooltip shows the command's title and key.
void draw_toolbar_button(App& app, Frame& frame, const char* label, const char* id,
                         bool is_highlighted = false) {
    const Command* command = app.commands().find(id);
    start_new_row_if_full(ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x);
    if (is_highlighted) ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.accent);
    ImGui::PushID(id);
    if (ImGui::Button(label)) app.ask([command](App& a) { a.run(*command); });
    ImGui::PopID();
    if (is_highlighted) ImGui::PopStyleColor();
    if (ImGui::IsItemHovered()) {
        const std::string key = command->keys.empty() ? "" : "   " + display_name(command->keys.front());
        ImGui::SetTooltip("%s%s", command->title.c_str(), key.c_str());
    }
    ImGui::SameLine(0, frame.px(3));
}

// Draws the menu: all commands in their groups.
void draw_menu(App& app) {
    if (ImGui::Button("Menu")) ImGui::OpenPopup("menu");
    if (!ImGui::BeginPopup("menu")) return;
    std::string group;
    bool open = false;
    for (const Command& command : app.commands().all()) {
        if (command.group != group) {
            if (open) ImGui::EndMenu();
            group = command.group;
            open = ImGui::BeginMenu(group.c_str());
        }
        if (!open) continue;
        const std::string key = command.keys.empty() ? "" : display_name(command.keys.front());
        if (ImGui::MenuItem(command.title.c_str(), key.c_str()))
            app.ask([&command](App& a) { a.run(command); });
    }
    if (open) ImGui::EndMenu();
    ImGui::EndPopup();
}

void draw_policy_combo(App& app, const char* id, const std::string& shown_text, Frame& frame, float width,
                       bool for_comparison) {
    ImGui::SetNextItemWidth(width);
    const float room = width - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
    if (ImGui::BeginCombo(id, ellipsized_text(shown_text, room).c_str(), ImGuiComboFlags_HeightLarge)) {
        const auto heading = [&](const char* text) {
            ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
            ImGui::TextUnformatted(text);
            ImGui::PopStyleColor();
        };
        if (for_comparison && ImGui::Selectable("no policy: stop comparing"))
            frame.ask([](Control& control) { control.comparison().end(); });
        if (for_comparison) heading("policy of run B from the start:");
        if (const std::string spec = draw_policy_choices(frame, shown_text, true); !spec.empty())
            frame.ask([spec, for_comparison](Control& control) {
                if (for_comparison)
                    control.comparison().compare_with(spec);
                else
                    control.set_policy(spec);
            });
        if (ImGui::Selectable("  another file..."))
            app.ask([for_comparison](App& a) {
                a.show_overlay(for_comparison ? App::Overlay::script_to_compare : App::Overlay::script);
            });
        if (for_comparison) {
            heading("policy of run B from this position on:");
            ImGui::PushID("from here on");
            if (const std::string spec = draw_policy_choices(frame, {}, true); !spec.empty())
                frame.ask([spec](Control& control) {
                    control.comparison().compare_with_intervention(
                        {.kind = sim::Intervention::Kind::policy, .policy = spec});
                });
            ImGui::PopID();
        }
        ImGui::EndCombo();
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", shown_text.c_str());
}

// Draws the whole run as a bar: simulated part, visible range, selection, bookmarks, position. Dragging
// moves the position.
void draw_scrub_bar(Frame& frame, float width) {
    const Run& run = *frame.model.a;
    const float height = frame.px(14);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("scrub", {width, height});
    const bool known = run.history().is_complete() || run.history().latest_end() == sim::kHorizon;
    const Nanos whole = std::max(known ? run.end() : run.history().latest_end(), Nanos{1});
    const auto x = [&](Nanos t) {
        const double share = static_cast<double>(t.count()) / static_cast<double>(whole.count());
        return at.x + width * static_cast<float>(std::clamp(share, 0.0, 1.0));
    };
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto band = [&](Nanos begin, Nanos end, float top, float bottom, ImU32 colour) {
        fill_rect(list, {x(begin), at.y + top * height},
                  {std::max(x(end), x(begin) + 1), at.y + bottom * height}, colour);
    };
    band(Nanos{}, whole, 0.3F, 0.7F, frame.theme.grid);
    band(Nanos{}, run.end(), 0.3F, 0.7F, frame.theme.ready);
    band(frame.view.shown.begin, frame.view.shown.end, 0.2F, 0.8F, frame.theme.accent);
    if (frame.view.selection)
        band(frame.view.selection->begin, frame.view.selection->end, 0.8F, 1, frame.theme.cursor_b);
    for (const Bookmark& b : frame.view.bookmarks)
        polygon(list,
                {{x(b.time) - frame.px(4), at.y},
                 {x(b.time) + frame.px(4), at.y},
                 {x(b.time), at.y + height * 0.6F}},
                frame.theme.cursor_a);
    const float line = std::max(1.0F, frame.px(2) * frame.theme.line_width);
    fill_rect(list, {x(run.now()) - line / 2, at.y}, {x(run.now()) + line / 2, at.y + height},
              frame.theme.cursor);
    if (ImGui::IsItemActive() || ImGui::IsItemHovered()) {
        const float share = std::clamp((ImGui::GetIO().MousePos.x - at.x) / width, 0.0F, 1.0F);
        const Nanos t{
            static_cast<std::int64_t>(static_cast<double>(whole.count()) * static_cast<double>(share))};
        ImGui::SetTooltip("%s", instant_text(t).c_str());
        if (ImGui::IsItemActive())
            frame.ask([t](Control& control) {
                control.navigator().seek(t);
                control.history().show_range_around_position();
            });
    }
}

float speed_combo_width(const Frame& frame) {
    return ImGui::CalcTextSize("× 1/1 000 000").x + ImGui::GetFrameHeight() + frame.px(12);
}

constexpr const char* kPlay = "▶ play";

// The width of the buttons for the layouts; 0 if the buttons are not shown.
float layout_buttons_width(const Frame& frame) {
    if (!has_room_for_layouts(frame.scale()) || frame.view.presenting) return 0;
    float width = 0;
    for (const LayoutInfo& layout : kLayouts) width += button_width(layout.title) + frame.px(3);
    return width;
}

// True if the box to compare with another policy is shown. The lecture layout has fewer controls.
bool has_compare_box(const Frame& frame) {
    const ViewState& view = frame.view;
    return frame.model.b != nullptr || view.layout != WindowLayout::lecture || !view.alone.empty() ||
           view.presenting || !has_room_for_layouts(frame.scale());
}

// Draws the boxes to choose the policy and the policy to compare with. They are as wide as the other controls
// of the row allow. Returns true if all controls fit in one row. Otherwise the playback controls are in a row
// of their own below the boxes. If the boxes do not fit beside the controls before them either, they also
// start a new row.
bool draw_policy_combos(App& app, Frame& frame, float total_width, float pad) {
    const Run& run = *frame.model.a;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    float others = frame.px(14 + 8 + 8) + speed_combo_width(frame) + layout_buttons_width(frame);
    for (const char* label : {"|◀", "◀◀", "◀", kPlay, "▶", "▶▶", "▶|", "?"})
        others += button_width(label) + frame.px(3);
    const float boxes = has_compare_box(frame) ? 2 : 1;
    ImGui::SameLine();
    const float left = total_width - ImGui::GetCursorPosX() - pad;
    float combo = std::min((left - others - gap) / boxes - gap, frame.px(230));
    const bool one_row = combo >= frame.px(90);
    if (!one_row) combo = std::clamp(left / boxes - gap, frame.px(90), frame.px(230));
    if (boxes * (combo + gap) > left) {
        combo = (total_width - 2 * pad - gap) / boxes;
        ImGui::NewLine();
    }
    draw_policy_combo(app, "##policy", run.history().policy().spec(), frame, combo, false);
    if (has_compare_box(frame)) {
        ImGui::SameLine();
        draw_policy_combo(
            app, "##compare",
            frame.model.b == nullptr ? std::string("compare...") : "B: " + frame.model.b->policy().spec(),
            frame, combo, true);
    }
    return one_row;
}

void draw_playback_buttons(App& app, Frame& frame) {
    draw_toolbar_button(app, frame, "|◀", "go.beginning");
    draw_toolbar_button(app, frame, "◀◀", "step.switch.back");
    draw_toolbar_button(app, frame, "◀", "step.back");
    draw_toolbar_button(app, frame, frame.view.playing ? "II" : kPlay, "play", frame.view.playing);
    draw_toolbar_button(app, frame, "▶", "step.forward");
    draw_toolbar_button(app, frame, "▶▶", "step.switch.forward");
    draw_toolbar_button(app, frame, "▶|", "go.end");
    ImGui::SameLine(0, frame.px(8));
}

// Draws a button for each layout at the right end of the row.
void draw_layout_buttons(App& app, Frame& frame, float total_width, float pad) {
    const float width = layout_buttons_width(frame);
    if (width == 0) return;
    set_cursor_pos_x(std::max(ImGui::GetCursorPosX(), total_width - pad - width));
    for (const LayoutInfo& layout : kLayouts) {
        const bool chosen = layout.layout == frame.view.layout && frame.view.alone.empty();
        if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, with_alpha(frame.theme.accent, 0.35F));
        draw_toolbar_button(app, frame, layout.title, (std::string("layout.") + layout.name).c_str());
        if (chosen) ImGui::PopStyleColor();
    }
}

// Draws the bar of the whole run, and the position next to it. In a narrow window the position has its own
// line.
void draw_scrub_row(Frame& frame, float total_width, float pad) {
    push_font(frame.fonts.mono);
    const std::string where = position_text(*frame.model.a, frame.view);
    // The width reserved for the position is a multiple of eight letters, so that the bar seldom changes its
    // length.
    const float letter = ImGui::CalcTextSize("0").x, text = ImGui::CalcTextSize(where.c_str()).x;
    const float room = std::ceil(text / (8 * letter)) * 8 * letter;
    const float bar = total_width - room - 4 * pad;
    const bool beside = bar > frame.px(160);
    ImGui::PopFont();
    draw_scrub_bar(frame, beside ? bar : std::max(10.0F, total_width - 3 * pad));
    if (beside) ImGui::SameLine(0, 2 * pad);
    push_font(frame.fonts.mono);
    draw_ellipsized_text(where, beside ? room : total_width - 2 * pad);
    ImGui::PopFont();
}

}  // namespace

void draw_speed_combo(Frame& frame) {
    const PlaybackSpeed& speed = kSpeeds[frame.view.speed];
    const std::string fast = speed.is_by_event() ? std::string(speed.name)
                             : speed.factor > 0  ? fmt::format("× {}", speed.name)
                                                 : std::string("× max");
    start_new_row_if_full(speed_combo_width(frame));
    ImGui::SetNextItemWidth(speed_combo_width(frame));
    if (ImGui::BeginCombo("##speed", fast.c_str(), ImGuiComboFlags_HeightLarge)) {
        for (std::size_t i = 0; i < kSpeeds.size(); ++i)
            if (ImGui::Selectable(kSpeeds[i].title().c_str(), i == frame.view.speed)) frame.view.speed = i;
        ImGui::EndCombo();
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Speed of playback: %s", speed.title().c_str());
}

void draw_top_bar(App& app, Frame& frame) {
    const float pad = frame.px(4);
    set_cursor_pos({pad, pad});
    ImGui::BeginGroup();
    const std::string title = frame.model.a == nullptr ? "Open a scenario..." : frame.model.scenario_name;
    if (ImGui::Button((escape_for_imgui_label(title) + " ▼").c_str()))
        app.ask([](App& a) { a.show_overlay(App::Overlay::picker); });
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("Open another scenario (Ctrl+O), or drop a file on the window");
    ImGui::SameLine();
    if (frame.view.came_from_start) {
        draw_toolbar_button(app, frame, "Less", "layout");
        ImGui::SameLine();
    }
    draw_menu(app);
    if (frame.model.a != nullptr) {
        const float whole = ImGui::GetIO().DisplaySize.x;
        if (draw_policy_combos(app, frame, whole, pad)) ImGui::SameLine(0, frame.px(14));
        draw_playback_buttons(app, frame);
        draw_speed_combo(frame);
        ImGui::SameLine(0, frame.px(3));
        draw_toolbar_button(app, frame, "?", "help");
        draw_layout_buttons(app, frame, whole, pad);
        ImGui::NewLine();
        draw_scrub_row(frame, whole, pad);
    }
    ImGui::EndGroup();
    set_cursor_pos_x(0);
}

std::string progress_text(const Run& run) {
    if (run.history().is_complete()) return {};
    const double progress = run.progress();
    return progress < 0 ? fmt::format("simulating: {} so far", span(run.end()))
                        : fmt::format("simulating: {}", percent(progress));
}

std::string position_text(const Run& run, const ViewState& view) {
    const sim::Globals& g = run.session().machine().globals();
    const std::string skipped =
        view.playing && view.skipped_switches > 0
            ? fmt::format("   {} switches/s are not shown: too fast", group_digits(view.skipped_switches))
            : "";
    return fmt::format("{}   switch {} / {}{}", instant_text(run.now()), group_digits(g.switches),
                       group_digits(run.history().simulated_end().machine.globals().switches), skipped);
}

std::string top_bar_text(const App& app) {
    const Model& model = app.model();
    if (model.a == nullptr) return "No scenario is open.\n";
    const Run& run = *model.a;
    std::string text = fmt::format("{}   {}   {}   {}   speed {}\n", model.scenario_name,
                                   run.history().policy().spec(), position_text(run, app.view()),
                                   app.view().playing ? "playing" : "paused", kSpeeds[app.view().speed].name);
    if (run.scenario().cpus > 1)
        text +=
            fmt::format("{} CPUs, cpu{} is selected\n", run.scenario().cpus, selected_cpu(run, app.view()));
    if (model.b != nullptr) text += fmt::format("compared with {}\n", model.b->policy().spec());
    if (const std::string progress = progress_text(run); !progress.empty()) text += progress + "\n";
    text += fmt::format("shown: {} to {}\n", instant_text(app.view().shown.begin),
                        instant_text(app.view().shown.end));
    return text;
}

}  // namespace ui
