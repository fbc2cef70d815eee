#include "ui/app/top_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/app/app.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/policy_choices.h"
#include "ui/platform/shapes.h"
#include "ui/view/speeds.h"

namespace ui {
namespace {

using sim::Nanos;
using sim::StepKind;

// Starts a new row of buttons if `width` does not fit in the current one, as on a telephone held upright.
void wrap(float width) {
    if (ImGui::GetCursorPosX() + width > ImGui::GetWindowWidth()) ImGui::NewLine();
}

// Draws a button that runs a command; the tooltip shows the command's title and key.
void command_button(App& app, Frame& frame, const char* label, const char* id, bool lit = false) {
    const Command* command = app.commands().find(id);
    wrap(ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x);
    if (lit) ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.accent);
    ImGui::PushID(id);
    if (ImGui::Button(label)) app.ask([command](App& a) { a.run(*command); });
    ImGui::PopID();
    if (lit) ImGui::PopStyleColor();
    if (ImGui::IsItemHovered()) {
        const std::string key = command->keys.empty() ? "" : "   " + display_name(command->keys.front());
        ImGui::SetTooltip("%s%s", command->title.c_str(), key.c_str());
    }
    ImGui::SameLine(0, frame.px(3));
}

// Draws the menu: all commands in their groups.
void menu(App& app) {
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

void policy_combo(App& app, const char* id, const std::string& shown, Frame& frame, float width,
                  bool compare) {
    ImGui::SetNextItemWidth(width);
    const float room = width - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
    if (ImGui::BeginCombo(id, cut_to(shown, room).c_str(), ImGuiComboFlags_HeightLarge)) {
        const auto heading = [&](const char* text) {
            ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
            ImGui::TextUnformatted(text);
            ImGui::PopStyleColor();
        };
        if (compare && ImGui::Selectable("no policy: stop comparing"))
            frame.ask([](Control& control) { control.comparison().end(); });
        if (compare) heading("the whole run under");
        if (const std::string spec = policy_choices(frame, shown, true); !spec.empty())
            frame.ask([spec, compare](Control& control) {
                if (compare)
                    control.comparison().compare_with(spec);
                else
                    control.set_policy(spec);
            });
        if (ImGui::Selectable("  another file..."))
            app.ask([compare](App& a) {
                a.show_overlay(compare ? App::Overlay::script_to_compare : App::Overlay::script);
            });
        if (compare) {
            heading("the same past, and from this position on under");
            ImGui::PushID("from here on");
            if (const std::string spec = policy_choices(frame, {}, true); !spec.empty())
                frame.ask([spec](Control& control) {
                    control.comparison().what_if({.kind = sim::Intervention::Kind::policy, .policy = spec});
                });
            ImGui::PopID();
        }
        ImGui::EndCombo();
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", shown.c_str());
}

// Draws the whole run as a bar: simulated part, visible range, selection, bookmarks, position. Dragging
// moves the position.
void scrub_bar(Frame& frame) {
    const Run& run = *frame.model.a;
    const float height = frame.px(14);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::max(10.0F, ImGui::GetContentRegionAvail().x - frame.px(8));
    ImGui::InvisibleButton("scrub", {width, height});
    const bool known = run.history().is_complete() || run.history().until() == sim::kHorizon;
    const Nanos whole = std::max(known ? run.end() : run.history().until(), Nanos{1});
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
        ImGui::SetTooltip("%s", instant(t).c_str());
        if (ImGui::IsItemActive())
            frame.ask([t](Control& control) {
                control.navigator().seek(t);
                control.history().show_position();
            });
    }
}

// Draws the boxes to choose the policy and the policy to compare with. In a narrow window the boxes have
// their own row.
void policy_combos(App& app, Frame& frame, float whole, float pad) {
    const Run& run = *frame.model.a;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    float combo = std::clamp(whole * 0.13F, frame.px(90), frame.px(230));
    ImGui::SameLine();
    if (ImGui::GetCursorPosX() + 2 * combo + gap > whole) {
        combo = (whole - 2 * pad - gap) / 2;
        ImGui::NewLine();
    }
    policy_combo(app, "##policy", run.history().policy().spec(), frame, combo, false);
    ImGui::SameLine();
    policy_combo(
        app, "##compare",
        frame.model.b == nullptr ? std::string("compare with...") : "B: " + frame.model.b->policy().spec(),
        frame, combo, true);
}

void playback_buttons(App& app, Frame& frame) {
    command_button(app, frame, "|◀", "go.beginning");
    command_button(app, frame, "◀◀", "step.switch.back");
    command_button(app, frame, "◀", "step.back");
    command_button(app, frame, frame.view.playing ? "II" : "▶ play", "play", frame.view.playing);
    command_button(app, frame, "▶", "step.forward");
    command_button(app, frame, "▶▶", "step.switch.forward");
    command_button(app, frame, "▶|", "go.end");
    ImGui::SameLine(0, frame.px(8));
}

void speed_combo(Frame& frame) {
    const Speed& speed = kSpeeds[frame.view.speed];
    const std::string fast = speed.switches > 0 ? std::string(speed.name)
                             : speed.factor > 0 ? fmt::format("× {}", speed.name)
                                                : std::string("× max");
    const float speeds = ImGui::CalcTextSize("× 1/1 000 000").x + ImGui::GetFrameHeight() + frame.px(12);
    wrap(speeds);
    ImGui::SetNextItemWidth(speeds);
    if (ImGui::BeginCombo("##speed", fast.c_str(), ImGuiComboFlags_HeightLarge)) {
        for (std::size_t i = 0; i < kSpeeds.size(); ++i)
            if (ImGui::Selectable(kSpeeds[i].name, i == frame.view.speed)) frame.view.speed = i;
        ImGui::EndCombo();
    }
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip(speed.switches > 0 ? "Playback by switches, independent of simulated time: %s"
                                             : "Simulated time per second of real time: %s",
                          speed.name);
}

std::string progress_text(const Run& run) {
    if (run.history().is_complete()) return {};
    const double progress = run.progress();
    return progress < 0 ? fmt::format("simulating: {} so far", span(run.end()))
                        : fmt::format("simulating: {}", percent(progress));
}

std::string keys_of(const App& app, const char* id) {
    const Command* command = app.commands().find(id);
    return command == nullptr || command->keys.empty() ? "" : display_name(command->keys.front());
}

}  // namespace

void draw_top_bar(App& app, Frame& frame) {
    const float pad = frame.px(4);
    set_cursor_pos({pad, pad});
    ImGui::BeginGroup();
    const std::string title = frame.model.a == nullptr ? "Open a scenario..." : frame.model.scenario_name;
    if (ImGui::Button((label_of(title) + " ▼").c_str()))
        app.ask([](App& a) { a.show_overlay(App::Overlay::picker); });
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("Open another scenario (Ctrl+O), or drop a file on the window");
    ImGui::SameLine();
    if (frame.view.came_from_start) {
        command_button(app, frame, "Less", "layout");
        ImGui::SameLine();
    }
    menu(app);
    if (frame.model.a != nullptr) {
        const Run& run = *frame.model.a;
        const float whole = ImGui::GetIO().DisplaySize.x;
        policy_combos(app, frame, whole, pad);
        const bool wide = whole > frame.px(1150);
        if (wide) ImGui::SameLine(0, frame.px(14));
        playback_buttons(app, frame);
        speed_combo(frame);
        ImGui::SameLine(0, frame.px(3));
        command_button(app, frame, "?", "help");
        ImGui::SameLine(0, frame.px(14));
        push_font(frame.fonts.mono);
        const std::string where = position_text(run);
        if (!wide) ImGui::NewLine();
        text_cut(where, ImGui::GetWindowWidth() - ImGui::GetCursorPosX() - pad);
        ImGui::PopFont();
        scrub_bar(frame);
    }
    ImGui::EndGroup();
    set_cursor_pos_x(0);
}

std::string position_text(const Run& run) {
    const sim::Globals& g = run.session().machine().globals();
    return fmt::format("{}   switch {} / {}", instant(run.now()), grouped(g.switches),
                       grouped(run.history().tip().machine.globals().switches));
}

std::string top_bar_text(const App& app) {
    const Model& model = app.model();
    if (model.a == nullptr) return "No scenario is open.\n";
    const Run& run = *model.a;
    std::string text = fmt::format("{}   {}   {}   {}   speed {}\n", model.scenario_name,
                                   run.history().policy().spec(), position_text(run),
                                   app.view().playing ? "playing" : "paused", kSpeeds[app.view().speed].name);
    if (run.scenario().cpus > 1)
        text +=
            fmt::format("{} CPUs, cpu{} is selected\n", run.scenario().cpus, selected_cpu(run, app.view()));
    if (model.b != nullptr) text += fmt::format("compared with {}\n", model.b->policy().spec());
    if (const std::string progress = progress_text(run); !progress.empty()) text += progress + "\n";
    text += fmt::format("shown: {} to {}\n", instant(app.view().shown.begin), instant(app.view().shown.end));
    return text;
}

namespace {

// Hints on the most useful keys, in three lines.
std::array<std::string, 3> hints(const App& app) {
    const auto key = [&](const char* id) { return keys_of(app, id); };
    const char* const what[] = {"event", "switch", "line of schedule()"};
    return {
        fmt::format("{} and {} step forward and back, by {} now.   {}: next switch   {}: yield   {}: "
                    "recalculation   {}: tick   (Shift: previous)",
                    key("step.forward"), key("step.back"), what[static_cast<std::size_t>(app.view().level)],
                    key("step.switch.forward"), key("step.yield.forward"), key("step.recalculation.forward"),
                    key("step.tick.forward")),
        fmt::format("{} goes one level in: switches, then the single lines of schedule(); {} goes out.   {}: "
                    "predict the next task",
                    key("inside.in"), key("inside.out"), key("predict")),
        fmt::format("{} plays.   {} compares with another policy, {} goes to the next decision that differs. "
                    "  {}{} shows "
                    "all keys.",
                    key("play"), key("compare"), key("compare.next"),
                    app.model().recorded == nullptr
                        ? ""
                        : key("compare.next_recorded") + ": the next mismatch with the trace.   ",
                    key("help"))};
}

}  // namespace

// The number of lines in the footer, which shows the question or message and the hints.
std::size_t footer_rows(const ViewState& view) {
    const float lines = ImGui::GetIO().DisplaySize.y / ImGui::GetTextLineHeightWithSpacing();
    const std::size_t rows = lines > 30 ? 4 : lines > 18 ? 2 : 1;
    return view.show_hints ? rows : (rows + 1) / 2;
}

float footer_height(const ViewState& view) {
    return static_cast<float>(footer_rows(view)) * ImGui::GetTextLineHeightWithSpacing();
}

void draw_footer(App& app, Frame& frame) {
    const float pad = frame.px(10);
    set_cursor_pos({pad, ImGui::GetWindowHeight() - footer_height(frame.view)});
    const float width = ImGui::GetWindowWidth() - 2 * pad;
    if (frame.model.a == nullptr) return;
    const auto line = [&](const std::string& text, ImU32 colour) {
        set_cursor_pos_x(pad);
        ImGui::PushStyleColor(ImGuiCol_Text, colour);
        text_cut(text, width);
        ImGui::PopStyleColor();
    };
    const sim::Scenario& scenario = frame.model.a->scenario();
    std::string progress = progress_text(*frame.model.a);
    if (!frame.model.exporting.empty())
        progress += (progress.empty() ? "" : "   ") + sim::printable(frame.model.exporting);
    std::string status = progress + (progress.empty() ? "" : "   ") + frame.model.message;
    std::string question = scenario.question;
    if (!scenario.hint.empty()) question += "   Hint: " + scenario.hint;
    const std::array<std::string, 3> keys = hints(app);
    const std::size_t rows = footer_rows(frame.view);
    std::size_t used = status.empty() ? 0 : 1;
    // The question is more important than the hints on keys, so it is placed first.
    if (!status.empty()) {
        line(status, frame.theme.accent);
    } else {
        const std::string lines = in_lines(frame.fonts.sans, question, width);
        for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end + 1) {
            end = std::min(lines.find('\n', begin), lines.size());
            if (++used == rows) end = lines.size();
            std::string text = lines.substr(begin, end - begin);
            std::replace(text.begin(), text.end(), '\n', ' ');
            line(text, frame.theme.text);
        }
    }
    for (std::size_t i = 0; frame.view.show_hints && used + i < rows && i < keys.size(); ++i)
        line(keys[i], frame.theme.text_dim);
}

std::string footer_text(const App& app) {
    const Model& model = app.model();
    if (model.a == nullptr) return {};
    const sim::Scenario& scenario = model.a->scenario();
    std::string text;
    if (!scenario.title.empty()) text += scenario.title + "\n";
    if (!scenario.question.empty()) text += scenario.question + "\n";
    if (!scenario.hint.empty()) text += "Hint: " + scenario.hint + "\n";
    if (!model.exporting.empty()) text += sim::printable(model.exporting) + "\n";
    if (!model.message.empty()) text += model.message + "\n";
    for (const std::string& hint : hints(app)) text += hint + "\n";
    return text;
}

}  // namespace ui
