// The pane WHAT IF: the numbers of the scenario as sliders, and the results of changing them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <map>
#include <vector>

#include "sim/core/policy.h"
#include "ui/control/control.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/policy_choices.h"
#include "ui/platform/imgui_versions.h"
#include "ui/view/baseline.h"
#include "ui/view/knobs.h"
#include "ui/view/text_table.h"
#include "ui/view/two_runs.h"

namespace ui {
namespace {

// The previous result and the change, such as "was 19.2 µs (+3.0 %)". If the two results have different
// units, returns only the previous result, with its unit.
std::string previous_result_text(const Outcome& was, const Outcome& now) {
    if (was.cost < 0 || was.per_yield != now.per_yield) return "was " + cost_text(was);
    std::string text = "was " + span(sim::Nanos{std::llround(was.cost)});
    if (was.cost > 0) {
        const double change = (now.cost / was.cost - 1) * 100;
        if (std::abs(change) >= 0.05)
            text += fmt::format(" ({}{:.{}f} %)", change < 0 ? "\u2212" : "+", std::abs(change),
                                std::abs(change) < 10 ? 1 : 0);
    }
    return text;
}

// Places cells in rows from left to right. A cell is a label and a value above a control; in a strip of one
// line, only the control.
class CellLayout {
  public:
    CellLayout(Frame& frame, bool labelled, float width, float whole)
        : frame_(frame), labelled_(labelled), cell_(width), whole_(whole), at_(ImGui::GetCursorPos()) {
        left_ = at_.x;
        label_ = labelled ? ImGui::GetTextLineHeight() + frame.px(3) : 0.0f;
        // If there is no room for two rows, the second row is placed below the visible area. Otherwise it
        // would be partly visible.
        const float row = label_ + ImGui::GetFrameHeight(), room = ImGui::GetContentRegionAvail().y;
        step_ = row + ImGui::GetStyle().ItemSpacing.y;
        if (room < step_ + row) step_ = std::max(step_, room + 1);
    }

    // Begins the next cell. Its width is the common width, or `min_width` if that is larger.
    void begin_cell(const std::string& label, const std::string& value, ImU32 colour, float min_width) {
        const float width = std::min(std::max(cell_, min_width), whole_);
        begin_cell_of_width(label, value, colour, width);
    }
    // Like begin_cell(), but with exactly this width.
    void begin_cell_of_width(const std::string& label, const std::string& value, ImU32 colour, float width) {
        if (at_.x > left_ && at_.x + width > left_ + whole_) at_ = ImVec2(left_, at_.y + step_);
        if (labelled_) {
            const float free =
                width - (value.empty() ? 0 : ImGui::CalcTextSize(value.c_str()).x + frame_.px(6));
            set_cursor_pos(at_);
            ImGui::PushStyleColor(ImGuiCol_Text, frame_.theme.text_dim);
            draw_ellipsized_text(label, free);
            ImGui::PopStyleColor();
            set_cursor_pos(ImVec2(at_.x + width - ImGui::CalcTextSize(value.c_str()).x, at_.y));
            if (!value.empty()) coloured_text(colour, value);
        }
        set_cursor_pos(ImVec2(at_.x, at_.y + label_));
        ImGui::SetNextItemWidth(width);
        at_.x += width + ImGui::GetStyle().ItemSpacing.x;
    }
    bool labelled() const { return labelled_; }

  private:
    Frame& frame_;
    bool labelled_;
    float cell_, whole_, left_ = 0, label_ = 0, step_ = 0;
    ImVec2 at_;
};

// The width of the cell of a number: enough for every value of its slider, so that the cells do not move
// during a drag.
float knob_cell_width(const Frame& frame, const Knob& knob) {
    const auto width = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
    const std::int64_t now = value_of(knob, frame.model.a->scenario());
    const float value = std::max({width(display_text(knob, knob.least)), width(display_text(knob, knob.most)),
                                  width(display_text(knob, now))});
    return std::ceil(width(knob.label) + frame.px(6) + value);
}

// The width of the cell of a drop-down box: enough for its label and its current choice.
float choice_cell_width(const std::string& label, const std::string& chosen) {
    const float text = ImGui::CalcTextSize(chosen.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    return std::ceil(std::max(ImGui::CalcTextSize(label.c_str()).x, text + ImGui::GetFrameHeight()));
}

// The width that each cell requires, in the order of the cells.
std::vector<float> needed_cell_widths(const Frame& frame, const Baseline& was) {
    const sim::NamedPolicy& policy = frame.model.a->history().policy();
    std::vector<float> widths{choice_cell_width("policy", policy.name)};
    for (const auto& [option, value] : policy.options) widths.push_back(choice_cell_width(option, value));
    for (const Knob& knob : was.knobs()) widths.push_back(knob_cell_width(frame, knob));
    return widths;
}

// The common width of the cells. It fits all cells into one row, unless they would be too narrow. In that
// case the cells fill several rows.
float common_cell_width(const Frame& frame, const std::vector<float>& needed, float whole) {
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const auto row = [&](float width) {
        float sum = -spacing;
        for (const float need : needed) sum += std::max(width, need) + spacing;
        return sum;
    };
    const float least = frame.px(104);
    for (float width = frame.px(180); width >= least; --width)
        if (row(width) <= whole) return std::floor(width);
    const float in_a_row = std::max(1.0f, std::floor((whole + spacing) / (least + spacing)));
    return std::floor((whole + spacing) / in_a_row - spacing);
}

// The width of the result at the right of the cells, in a pane of this width. It does not depend on the
// result, so that sliders do not move during a drag.
float width_of_result(const Frame& frame, float width) {
    return std::max(std::min(frame.px(350), width * 0.3f), frame.px(200));
}

// The range of the slider that is being dragged. The range of a slider depends on the values, but the range
// of a dragged slider is constant until the mouse button is released.
struct SliderRange {
    std::string id;
    std::int64_t least = 0, most = 0;
};

// The range of the slider with this id: `least` to `most`. If this slider is being dragged, returns the range
// that it had when the drag began.
SliderRange range_of_slider(Frame& frame, const std::string& id, std::int64_t least, std::int64_t most) {
    const SliderRange& kept = frame.memory.of<SliderRange>();
    return kept.id == id ? kept : SliderRange{id, least, most};
}

// Stores the range while its slider is being dragged. REQUIRES: the slider is the most recent ImGui item.
void keep_range_during_drag(Frame& frame, const SliderRange& range) {
    SliderRange& kept = frame.memory.of<SliderRange>();
    if (ImGui::IsItemActive())
        kept = range;
    else if (kept.id == range.id)
        kept = {};
}

void draw_knob_cell(Frame& frame, CellLayout& cells, const Knob& knob, std::int64_t was) {
    const std::int64_t value = value_of(knob, frame.model.a->scenario());
    const bool changed = value != was;
    const ImU32 colour = changed ? frame.theme.accent : frame.theme.text;
    cells.begin_cell(knob.label, display_text(knob, value), colour, knob_cell_width(frame, knob));
    // The value is above the slider; if there is no room, it is in the slider.
    const auto format = [&](const char* number) {
        return cells.labelled() ? std::string{}
                                : escape_for_printf(escape_for_imgui_label(knob.label)) + " " + number;
    };
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    std::int64_t wanted = value;
    const std::string id = "##" + knob.pointer;
    const ImGuiSliderFlags flags =
        ImGuiSliderFlags_AlwaysClamp | (knob.logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    bool moved = false;
    const SliderRange range = range_of_slider(frame, id, knob.least, knob.most);
    if (knob.kind == Knob::Kind::cost) {
        // Rounds to hundredths of a microsecond, as displayed.
        double us = static_cast<double>(value) / 1e3;
        const double least = static_cast<double>(range.least) / 1e3,
                     most = static_cast<double>(range.most) / 1e3;
        moved = ImGui::SliderScalar(id.c_str(), ImGuiDataType_Double, &us, &least, &most,
                                    format("%.2f \u00b5s").c_str(), flags);
        if (moved) wanted = std::max<std::int64_t>(knob.least, std::llround(us * 100) * 10);
    } else {
        moved = ImGui::SliderScalar(id.c_str(), ImGuiDataType_S64, &wanted, &range.least, &range.most,
                                    format("%lld").c_str(), flags);
    }
    keep_range_during_drag(frame, range);
    ImGui::PopStyleColor();
    explain_item(fmt::format("{} Range: {} to {}{}. Ctrl+click to type a number.", knob.meaning,
                             display_text(knob, knob.least), display_text(knob, knob.most),
                             changed ? ", was " + display_text(knob, was) : ""));
    if (moved && wanted != value)
        frame.ask([pointer = knob.pointer, text = scenario_value_text(knob, wanted)](Control& control) {
            control.set_value(pointer, text);
        });
}

// The texts of number lists that the user edits, by name of the policy option.
struct TypedLists {
    struct Box {
        std::string option_value;  // value of the option when `typed` was last set to it
        std::array<char, 256> typed{};
    };
    std::map<std::string, Box> boxes;
};

// Draws a text box for numbers separated by '/'. Enter applies them.
void draw_numbers_box(Frame& frame, const sim::OptionInfo& option, const std::string& chosen,
                      const std::function<void(const std::string&)>& apply) {
    TypedLists::Box& box = frame.memory.of<TypedLists>().boxes[option.name];
    if (box.option_value != chosen) {
        box.option_value = chosen;
        box.typed = {};
        chosen.copy(box.typed.data(), box.typed.size() - 1);
    }
    if (ImGui::InputText(("##" + option.name).c_str(), box.typed.data(), box.typed.size(),
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CharsNoBlank))
        apply(box.typed.data());
    explain_item(option.summary + " Type numbers separated by /, then Enter.");
}

void draw_policy_cells(Frame& frame, CellLayout& cells) {
    const sim::NamedPolicy& policy = frame.model.a->history().policy();
    const auto use = [&](const std::string& spec) {
        frame.ask([spec](Control& control) { control.set_policy(spec); });
    };
    cells.begin_cell("policy", {}, 0, choice_cell_width("policy", policy.name));
    if (ImGui::BeginCombo("##policy", policy.name.c_str())) {
        if (const std::string chosen = draw_policy_choices(frame, policy.name, false); !chosen.empty())
            use(chosen);
        ImGui::EndCombo();
    }
    for (const sim::OptionInfo& option : policy.known_options) {
        const std::string& chosen = policy.options.at(option.name);
        const std::string stands_for = option.values.size() == 2 ? option.values[1] : "";
        const bool is_number = stands_for == "N" || stands_for == "N0", is_list = stands_for == "N/N/..";
        cells.begin_cell(option.name, is_number ? chosen : std::string{}, frame.theme.text,
                         choice_cell_width(option.name, chosen));
        const std::string id = "##" + option.name;
        if (is_number) {
            int n = std::atoi(chosen.c_str());
            const SliderRange range =
                range_of_slider(frame, id, stands_for == "N" ? 1 : 0, std::max(100, 4 * n));
            const bool moved = ImGui::SliderInt(
                id.c_str(), &n, static_cast<int>(range.least), static_cast<int>(range.most),
                cells.labelled() ? "" : (option.name + " %d").c_str(), ImGuiSliderFlags_AlwaysClamp);
            keep_range_during_drag(frame, range);
            if (moved && std::to_string(n) != chosen)
                use(with_option(policy, option.name, std::to_string(n)));
            explain_item(option.summary);
        } else if (is_list) {
            draw_numbers_box(frame, option, chosen,
                             [&](const std::string& list) { use(with_option(policy, option.name, list)); });
        } else {
            const std::string preview = cells.labelled() ? chosen : option.name + "=" + chosen;
            if (ImGui::BeginCombo(id.c_str(), preview.c_str())) {
                for (const std::string& value : option.values)
                    if (ImGui::Selectable(value.c_str(), value == chosen) && value != chosen)
                        use(with_option(policy, option.name, value));
                ImGui::EndCombo();
            } else {
                explain_item(option.summary);
            }
        }
    }
}

// The result, such as "19.0 us per yield"; for two runs, both results.
std::string result_text(const Model& model) {
    if (model.b == nullptr) return cost_text(outcome_of(*model.a));
    const ComparedCosts lines = compared_costs(model);
    const std::size_t unit = lines.a.find(" per ");
    const bool of_a_kind = unit != std::string::npos && lines.b.ends_with(lines.a.substr(unit));
    return fmt::format("{} | {}", of_a_kind ? lines.a.substr(0, unit) : lines.a, lines.b);
}

std::string change_text(const Model& model, const std::optional<Outcome>& was, bool changed) {
    if (model.b != nullptr)
        if (const std::string factor = compared_costs(model).factor; !factor.empty())
            return "A | B: " + factor;
    const Outcome now = outcome_of(*model.a);
    std::string text;
    if (changed && was) text += previous_result_text(*was, now) + ", ";
    text += switch_rate_text(now);
    if (changed && was)
        text += ", was " + switch_rate_text(*was).substr(0, switch_rate_text(*was).find(" sw"));
    return text;
}

// The first text that fits; if none fits, the last one.
std::string first_text_that_fits(std::initializer_list<std::string> texts, float width) {
    for (const std::string& text : texts)
        if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    return *(texts.end() - 1);
}

// The result of the run, and a line below it: the rate of switches and, after a change, the previous result.
// With two runs, the line is the ratio of their results. It is shortened if it does not fit in `room` pixels.
struct ResultLines {
    std::string result, below;
};

ResultLines result_lines(const Model& model, bool changed, float room) {
    const Baseline& was = *model.baseline;
    const double progress = model.a->progress();
    const std::string so_far = !model.a->history().is_complete() && progress >= 0
                                   ? fmt::format(" \u00b7 {} simulated", percent(progress))
                                   : std::string{};
    const Outcome now = outcome_of(*model.a);
    const std::string before = model.b != nullptr         ? change_text(model, was.outcome(), changed)
                               : changed && was.outcome() ? previous_result_text(*was.outcome(), now)
                                                          : switch_rate_text(now);
    const std::string whole_line = change_text(model, was.outcome(), changed);
    return {result_text(model),
            first_text_that_fits({whole_line + so_far, whole_line, before + so_far, before}, room)};
}

void draw_result_above(Frame& frame, const ResultLines& lines) {
    ImGui::TextUnformatted(lines.result.c_str());
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    if (same_line_if_fits(ImGui::CalcTextSize(lines.below.c_str()).x))
        ImGui::TextUnformatted(lines.below.c_str());
    else
        draw_ellipsized_text(lines.below, ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleColor();
}

void draw_knobs(Frame& frame, bool labelled, bool changed) {
    const Baseline& was = *frame.model.baseline;
    const float reset = button_width("Reset");
    const float whole = ImGui::GetContentRegionAvail().x;
    const float width = common_cell_width(frame, needed_cell_widths(frame, was),
                                          whole - reset - ImGui::GetStyle().ItemSpacing.x);
    CellLayout cells(frame, labelled, width, whole);
    draw_policy_cells(frame, cells);
    for (std::size_t i = 0; i < was.knobs().size(); ++i)
        draw_knob_cell(frame, cells, was.knobs()[i], was.values()[i]);
    cells.begin_cell_of_width("", "", 0, reset);
    ImGui::BeginDisabled(!changed);
    if (ImGui::Button("Reset"))
        frame.ask([spec = was.policy()](Control& control) {
            control.reset_values();
            if (control.model().a != nullptr && control.model().a->history().policy().spec() != spec)
                control.set_policy(spec);
        });
    ImGui::EndDisabled();
    explain_item("Undoes all changes.");
}

// Draws the lines of the result at the right end of an area, where nothing overlaps them. `at`, `area_size`:
// the corner and the size of the area.
void draw_result_beside(Frame& frame, const ResultLines& text, float max_width, bool changed, ImVec2 at,
                        ImVec2 area_size) {
    const float title = pixel_size(*frame.fonts.title);
    const float result_width = frame.fonts.title->CalcTextSizeA(title, FLT_MAX, 0, text.result.c_str()).x;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float right = at.x + area_size.x;
    const float lines = title + ImGui::GetTextLineHeight() + frame.px(2);
    const float y = at.y + std::max(0.0f, std::floor((std::min(area_size.y, frame.px(60)) - lines) / 2));
    list.AddText(frame.fonts.title, title, ImVec2(std::floor(right - result_width), y),
                 changed ? frame.theme.accent : frame.theme.text, text.result.c_str());
    const float below_width = std::min(max_width, ImGui::CalcTextSize(text.below.c_str()).x);
    set_cursor_screen_pos(ImVec2(std::floor(right - below_width), y + title + frame.px(2)));
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    draw_ellipsized_text(text.below, max_width);
    ImGui::PopStyleColor();
}

}  // namespace

float what_if_height(const Frame& frame, float width) {
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float row = ImGui::GetTextLineHeight() + frame.px(3) + ImGui::GetFrameHeight();
    const float least = row + frame.px(26);
    if (frame.model.a == nullptr) return least;
    const float all = width - frame.px(18);
    const float whole = all - width_of_result(frame, all) - frame.px(24);
    std::vector<float> cells = needed_cell_widths(frame, *frame.model.baseline);
    const float reset = button_width("Reset");
    const float common = common_cell_width(frame, cells, whole - reset - spacing);
    for (float& cell : cells) cell = std::min(std::max(common, cell), whole);
    cells.push_back(reset);
    float x = 0;
    bool in_one_row = true;
    for (const float cell : cells) {
        in_one_row = in_one_row && (x == 0 || x + cell <= whole);
        x += cell + spacing;
    }
    return in_one_row ? least : least + row + ImGui::GetStyle().ItemSpacing.y;
}

void draw_what_if(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    const bool changed = frame.model.baseline->is_changed(frame.model);
    const ImVec2 all = ImGui::GetContentRegionAvail();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wanted = width_of_result(frame, all.x);
    const bool beside = all.x > wanted + frame.px(320);
    const ResultLines lines = result_lines(frame.model, changed, beside ? wanted : all.x);
    const bool labelled =
        all.y >= ImGui::GetTextLineHeightWithSpacing() + ImGui::GetFrameHeight() - frame.px(6);
    const float cells_width = beside ? all.x - wanted - frame.px(24) : all.x;
    if (!beside) draw_result_above(frame, lines);
    begin_child("cells", ImVec2(cells_width, 0));
    draw_knobs(frame, labelled, changed);
    ImGui::EndChild();
    if (beside) draw_result_beside(frame, lines, wanted, changed, at, all);
}

std::string what_if_text(const Model& model, const ViewState&) {
    if (model.a == nullptr) return "No scenario is open.\n";
    const Baseline& was = *model.baseline;
    const bool changed = was.is_changed(model);
    const sim::NamedPolicy& policy = model.a->history().policy();
    TextTable table("lll");
    table.add({"policy", policy.name});
    for (const auto& [option, value] : policy.options) table.add({option, value});
    for (std::size_t i = 0; i < was.knobs().size(); ++i) {
        const Knob& knob = was.knobs()[i];
        const std::int64_t value = value_of(knob, model.a->scenario());
        table.add({knob.label, display_text(knob, value),
                   value == was.values()[i] ? std::string{} : "was " + display_text(knob, was.values()[i])});
    }
    std::string text =
        table.text() + result_text(model) + "\n" + change_text(model, was.outcome(), changed) + "\n";
    if (!model.a->history().is_complete() && model.a->progress() >= 0)
        text += percent(model.a->progress()) + " simulated\n";
    return text;
}

}  // namespace ui
