#include "ui/panels/scenario_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/scenario/value_edit.h"
#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/platform/shapes.h"

namespace ui {
namespace {

bool is_enter_pressed() { return is_key_pressed(ImGuiKey_Enter) || is_key_pressed(kKeypadEnter); }

// The colour of the stripe at a program step. Steps that compute, that wait, that act on tasks, and that
// repeat other steps have different colours.
ImU32 step_colour(const Frame& frame, const FormRow& row) {
    const std::string& verb = row.choices.empty() ? row.label : row.choices.front().label;
    constexpr std::array<std::string_view, 3> kComputing{"run", "syscall", "in_kernel"};
    constexpr std::array<std::string_view, 4> kActing{"wake", "signal", "broadcast", "unpark"};
    const auto contains = [&](const auto& words) {
        return std::find(words.begin(), words.end(), verb) != words.end();
    };
    if (verb == "loop") return frame.theme.cursor_b;
    if (contains(kComputing)) return frame.theme.accent;
    if (contains(kActing) || verb == "fork" || verb == "exec" || verb == "exit") return frame.theme.cursor_a;
    return frame.theme.ready;
}

// Draws the rows of the form and handles the keys for them. Each frame creates its own object.
class ScenarioForm {
  public:
    ScenarioForm(Frame& frame, ScenarioFormState& state) : frame_(frame), state_(state) {}

    void draw() {
        const float height = ImGui::GetFrameHeightWithSpacing();
        if (std::exchange(state_.scrolls, false)) scroll_to_cursor(height);
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(state_.rows.size()), height);
        const bool draws_typed_row = state_.typing && state_.row() != nullptr;
        bool typed_row_is_drawn = false;
        while (clipper.Step())
            for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
                typed_row_is_drawn = typed_row_is_drawn || static_cast<std::size_t>(i) == state_.at;
                draw_row(static_cast<std::size_t>(i));
            }
        // If the cell that is being edited is scrolled out of view, it loses the focus, and the typed text is
        // applied.
        if (draws_typed_row && !typed_row_is_drawn && state_.typing && !state_.typing->begins)
            request_commit();
    }

    void handle_keys() {
        if (!state_.has_keys || state_.typing || state_.menu || state_.rows.empty()) return;
        const FormRow& here = *state_.row();
        const bool alt = ImGui::GetIO().KeyAlt, shift = ImGui::GetIO().KeyShift;
        if (is_key_pressed(ImGuiKey_Escape)) {
            state_.has_keys = false;
        } else if (alt && is_key_pressed(ImGuiKey_UpArrow)) {
            move_element(-1);
        } else if (alt && is_key_pressed(ImGuiKey_DownArrow)) {
            move_element(1);
        } else if (is_key_pressed(ImGuiKey_UpArrow)) {
            move_cursor_to(state_.at - std::min<std::size_t>(state_.at, 1));
        } else if (is_key_pressed(ImGuiKey_DownArrow)) {
            move_cursor_to(state_.at + 1);
        } else if (is_key_pressed(ImGuiKey_PageUp)) {
            move_cursor_to(state_.at - std::min<std::size_t>(state_.at, kPage));
        } else if (is_key_pressed(ImGuiKey_PageDown)) {
            move_cursor_to(state_.at + kPage);
        } else if (is_key_pressed(ImGuiKey_Home)) {
            move_cursor_to(0);
        } else if (is_key_pressed(ImGuiKey_End)) {
            move_cursor_to(state_.rows.size() - 1);
        } else if (is_key_pressed(ImGuiKey_Tab)) {
            move_cursor_to_editable(shift ? -1 : 1);
        } else if (is_key_pressed(ImGuiKey_LeftArrow)) {
            if (here.can_fold && !here.is_folded)
                toggle_fold(here);
            else
                move_cursor_to_row(parent_row(here));
        } else if (is_key_pressed(ImGuiKey_RightArrow)) {
            if (here.is_folded)
                toggle_fold(here);
            else
                move_cursor_to(state_.at + 1);
        } else if (is_enter_pressed()) {
            edit_value_or_open_menu(here);
        } else if (is_key_pressed(ImGuiKey_Delete) || is_key_pressed(ImGuiKey_Backspace)) {
            remove_value(here);
        } else if (is_key_pressed(ImGuiKey_Insert)) {
            open_menu(menu_of_additions(state_, here));
        } else {
            handle_typed_characters(here);
        }
    }

    void request_commit() {
        frame_.ask([&state = state_](Control& control) { commit_form(control, state); });
    }

  private:
    static constexpr std::size_t kPage = 10;
    static constexpr std::size_t kLongest = 4'100;  // maximum length of a typed value, in bytes

    void move_cursor_to(std::size_t index) {
        state_.at = std::min(index, state_.rows.size() - 1);
        state_.scrolls = true;
    }

    void move_cursor_to_row(const FormRow* row) {
        if (row != nullptr) move_cursor_to(static_cast<std::size_t>(row - state_.rows.data()));
    }

    static bool is_editable(const FormRow& row) { return row.cell || !row.choices.empty(); }

    void move_cursor_to_editable(int direction) {
        std::size_t i = state_.at;
        for (;;) {
            if ((direction < 0 && i == 0) || (direction > 0 && i + 1 >= state_.rows.size())) return;
            i = direction < 0 ? i - 1 : i + 1;
            if (is_editable(state_.rows[i])) return move_cursor_to(i);
        }
    }

    // The row that contains `row`; null if there is none.
    const FormRow* parent_row(const FormRow& row) const {
        for (const FormRow* other = &row; other > state_.rows.data();)
            if (--other; other->depth < row.depth) return other;
        return nullptr;
    }

    void toggle_fold(const FormRow& row) {
        if (state_.toggled.erase(row.pointer) == 0) state_.toggled.insert(row.pointer);
        state_.wanted = row.pointer;
        state_.opens_wanted = false;
        state_.version = 0;  // forces the rows to be recomputed
    }

    void open_menu(FormMenu menu) {
        if (!menu.entries.empty()) state_.menu = std::move(menu);
    }

    void edit_value_or_open_menu(const FormRow& row) {
        if (row.cell)
            begin_typing(row, row.cell->shown, true);
        else if (!row.choices.empty())
            open_menu(menu_of_choices(state_, row));
        else if (row.is_folded)
            toggle_fold(row);
        else
            open_menu(menu_of_additions(state_, row));
    }

    // A typed character begins the editing of a value, or a search in the menu of choices.
    void handle_typed_characters(const FormRow& row) {
        const std::string typed = typed_characters();
        if (typed.empty()) return;
        if (typed == "+") return open_menu(menu_of_additions(state_, row));
        if (typed == " " || !row.cell) {
            FormMenu menu = menu_of_choices(state_, row);
            if (typed != " ") menu.filter = typed;
            return open_menu(std::move(menu));
        }
        begin_typing(row, typed, false);
    }

    void begin_typing(const FormRow& row, const std::string& text, bool selects, bool is_key = false) {
        if (!is_key && row.cell->shown.size() >= kLongest) {
            move_cursor_to_row(&row);
            return frame_.ask(
                [](Control& control) { control.say("This value is too long here: edit it in the JSON."); });
        }
        state_.typing = ScenarioFormState::Typing{
            .pointer = row.pointer, .is_key = is_key, .text = text, .begins = true, .selects = selects};
        move_cursor_to_row(&row);
        state_.has_keys = true;
    }

    void remove_value(const FormRow& row) {
        if (!row.can_remove) return;
        state_.has_keys = true;
        frame_.ask([pointer = row.pointer](Control& control) {
            control.edit_scenario(
                [&](const sim::JsonTree& tree) { return sim::without_value_at(tree, pointer); }, {},
                pointer + " removed");
        });
    }

    // Moves the element at the cursor up or down in its list.
    void move_element(int direction) {
        const FormRow& row = *state_.row();
        if (!row.is_element) return;
        const std::string list = sim::parent_pointer(row.pointer);
        const std::size_t index = *sim::element_index(row.pointer.substr(list.size() + 1));
        const std::size_t size = sim::value_at(*state_.tree, list)->size();
        if (direction < 0 ? index == 0 : index + 1 >= size) return;
        const std::size_t first = direction < 0 ? index - 1 : index;
        state_.wanted = fmt::format("{}/{}", list, direction < 0 ? index - 1 : index + 1);
        state_.opens_wanted = false;
        frame_.ask([list, first](Control& control) {
            control.edit_scenario(
                [&](const sim::JsonTree& tree) {
                    return sim::with_adjacent_elements_exchanged(tree, list, first);
                },
                {}, fmt::format("{}/{} moved", list, first));
        });
    }

    void scroll_to_cursor(float height) const {
        const float top = height * static_cast<float>(state_.at), room = ImGui::GetWindowHeight();
        if (top < ImGui::GetScrollY())
            ImGui::SetScrollY(std::max(0.0F, top - height));
        else if (top + 2 * height > ImGui::GetScrollY() + room)
            ImGui::SetScrollY(top + 3 * height - room);
    }

    // --- drawing ---

    void draw_row(std::size_t i) {
        const FormRow& row = state_.rows[i];
        const bool is_here = i == state_.at;
        ImGui::PushID(static_cast<int>(i));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetFrameHeight();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float indent = frame_.px(16) * static_cast<float>(row.depth) + frame_.px(4);
        if (!row.problem.empty())
            fill_rect(list, at, {at.x + width, at.y + height}, with_alpha(frame_.theme.error, 0.25F));
        if (row.is_step) {
            fill_rect(list, {at.x + indent, at.y}, {at.x + width, at.y + height},
                      with_alpha(frame_.theme.text, 0.06F));
            fill_rect(list, {at.x + indent, at.y}, {at.x + indent + frame_.px(4), at.y + height},
                      step_colour(frame_, row));
        }
        if (is_here && state_.has_keys)
            draw_frame(list, at, {at.x + width, at.y + height}, frame_.theme.accent, frame_.px(1.5F));
        set_cursor_screen_pos({at.x + indent + (row.is_step ? frame_.px(10) : 0), at.y});
        const bool is_over =
            ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + height});
        const bool has_buttons =
            is_here || (is_over && !state_.menu && !state_.typing) || is_keyboard_navigation_on();
        const float buttons = has_buttons ? buttons_width(row) : 0;
        const float end = at.x + width - buttons;
        draw_label(row);
        if (!row.is_step && (row.cell || !row.choices.empty())) {
            ImGui::SameLine(0, 0);
            const float column = at.x + indent + frame_.px(130);
            set_cursor_screen_pos({std::max(ImGui::GetCursorScreenPos().x, column), at.y});
        }
        for (std::size_t c = 0; c < row.choices.size(); ++c) {
            if (c > 0 || row.is_step) ImGui::SameLine(0, frame_.px(4));
            ImGui::PushID(static_cast<int>(c));
            const FormChoice& choice = row.choices[c];
            const bool is_plain = row.cell && !has_own_name(choice);
            if (ImGui::Button(is_plain ? "▼" : (escape_for_imgui_label(choice.label) + " ▼").c_str())) {
                move_cursor_to(i);
                state_.has_keys = true;
                open_menu(menu_of_choices(state_, row));
            }
            ImGui::PopID();
            explain_item(choice.label + ": choose another kind (Space)");
        }
        const bool has_names = row.cell && row.choices.empty() && has_suggestions(row);
        if (has_names) {
            if (ImGui::Button("▼##names")) {
                move_cursor_to(i);
                state_.has_keys = true;
                open_menu(menu_of_choices(state_, row));
            }
            explain_item("Choose a name (Space)");
        }
        if (row.cell) {
            if (row.is_step || !row.choices.empty() || has_names) ImGui::SameLine(0, frame_.px(6));
            draw_cell(row, std::max(frame_.px(40), end - ImGui::GetCursorScreenPos().x - frame_.px(4)));
        }
        if (!row.preview.empty()) {
            ImGui::SameLine(0, frame_.px(6));
            ImGui::PushStyleColor(ImGuiCol_Text, frame_.theme.text_dim);
            draw_ellipsized_text(row.preview, std::max(1.0F, end - ImGui::GetCursorScreenPos().x));
            ImGui::PopStyleColor();
        }
        // A click in the row, outside its values, moves the cursor to the row.
        if (is_over && ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !state_.menu) {
            if (!is_here) move_cursor_to(i);
            state_.has_keys = true;
        }
        if (is_over && !row.problem.empty() && !ImGui::IsAnyItemActive())
            ImGui::SetTooltip("%s", row.problem.c_str());
        if (has_buttons) draw_row_buttons(i, {at.x + width - buttons, at.y});
        ImGui::PopID();
        set_cursor_screen_pos({at.x, at.y + ImGui::GetFrameHeightWithSpacing()});
    }

    // True if the chosen alternative has a name in JSON: a word ("yield") or a leading key ("run").
    static bool has_own_name(const FormChoice& choice) {
        for (const sim::SchemaVariant& variant : choice.node->variants)
            if (variant.label == choice.label) return !variant.verb.empty() || !variant.word.empty();
        return true;
    }

    // True if the value of the row is a name from a list, such as the name of a policy.
    static bool has_suggestions(const FormRow& row) {
        const std::string key = row.cell->pointer.substr(row.cell->pointer.rfind('/') + 1);
        return key == "policy" || key == "base" || key == "compare";
    }

    void draw_label(const FormRow& row) {
        if (row.can_fold) {
            ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
            if (ImGui::Button(row.is_folded ? "▶" : "▼", {ImGui::GetFrameHeight(), 0})) toggle_fold(row);
            ImGui::PopStyleColor();
            ImGui::SameLine(0, frame_.px(2));
        } else {
            set_cursor_pos_x(ImGui::GetCursorPosX() + ImGui::GetFrameHeight() + frame_.px(2));
        }
        ImGui::AlignTextToFramePadding();
        if (state_.typing && state_.typing->is_key && state_.typing->pointer == row.pointer) {
            draw_text_box(row, frame_.px(160));
        } else {
            coloured_text(row.cell || row.content ? frame_.theme.text : frame_.theme.text_dim, row.label);
            explain_item(row.has_own_key ? "Click to change this name" : row.description);
            if (row.has_own_key && ImGui::IsItemClicked()) begin_typing(row, row.label, true, true);
        }
    }

    void draw_cell(const FormRow& row, float width) {
        const bool is_typed =
            state_.typing && !state_.typing->is_key && state_.typing->pointer == row.pointer;
        if (is_typed) return draw_text_box(row, width);
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetColorU32(ImGuiCol_FrameBg));
        ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5F));
        const std::string shown = ellipsized_text(escape_for_imgui_label(row.cell->shown),
                                                  width - 2 * ImGui::GetStyle().FramePadding.x);
        if (ImGui::Button((shown + "##cell").c_str(), {width, 0})) begin_typing(row, row.cell->shown, true);
        ImGui::PopStyleVar();
        ImGui::PopStyleColor();
        explain_item(!row.problem.empty()                    ? row.problem
                     : shown.size() < row.cell->shown.size() ? row.cell->shown
                                                             : row.description);
    }

    void draw_text_box(const FormRow& row, float width) {
        ScenarioFormState::Typing& typing = *state_.typing;
        if (typing.begins) focus_next_item();
        std::array<char, kLongest> buffer{};
        typing.text.copy(buffer.data(), buffer.size() - 1);
        ImGui::SetNextItemWidth(width);
        LeavingKey leaving;
        ImGui::InputText("##typed", buffer.data(), buffer.size(),
                         (typing.selects ? ImGuiInputTextFlags_AutoSelectAll : 0) |
                             ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackHistory |
                             ImGuiInputTextFlags_CallbackAlways,
                         on_text_box_key, &leaving);
        explain_item(row.description);
        if (ImGui::IsItemActive()) {
            // ImGui's text box ignores keys in the frame in which it gets the focus, so Escape is handled
            // here.
            const bool is_new = std::exchange(typing.begins, false);
            typing.text = buffer.data();
            if (is_new && is_key_pressed(ImGuiKey_Escape)) {
                state_.typing.reset();
                state_.leaves = true;
            } else if (leaving.by != 0) {
                request_commit();
                state_.leaves = true;
                leaving.is_tab ? move_cursor_to_editable(leaving.by)
                               : move_cursor_to(neighbour_row(leaving.by));
            }
            return;
        }
        if (is_key_pressed(ImGuiKey_Escape)) {
            state_.typing.reset();
            return;
        }
        if (!typing.begins) {
            typing.text = buffer.data();
        } else {  // the box does not have the focus yet, so this adds the typed characters
            typing.text += typed_characters();
            if (!is_enter_pressed()) return;
        }
        request_commit();
        if (is_enter_pressed() && !row.is_step) move_cursor_to(state_.at + 1);
    }

    std::size_t neighbour_row(int direction) const {
        return direction < 0 ? state_.at - std::min<std::size_t>(state_.at, 1) : state_.at + 1;
    }

    // The key that was pressed in a text box to leave it for another row; set by on_text_box_key().
    struct LeavingKey {
        int by = 0;
        bool is_tab = false, is_first = true;
    };

    static int on_text_box_key(ImGuiInputTextCallbackData* data) {
        LeavingKey& leaving = *static_cast<LeavingKey*>(data->UserData);
        if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory)
            leaving.by = data->EventKey == ImGuiKey_UpArrow ? -1 : 1;
        if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion)
            leaving = {.by = ImGui::GetIO().KeyShift ? -1 : 1, .is_tab = true};
        return 0;
    }

    struct RowButton {
        const char* label;
        const char* meaning;
        bool is_shown;
    };

    std::array<RowButton, 4> buttons_of(const FormRow& row) const {
        return {{{"+", "Add (Insert)", row.content || row.is_element},
                 {"↑", "Move up (Alt+Up)", row.is_element},
                 {"↓", "Move down (Alt+Down)", row.is_element},
                 {"×", "Remove (Delete)", row.can_remove}}};
    }

    float buttons_width(const FormRow& row) const {
        float width = 0;
        for (const RowButton& button : buttons_of(row))
            if (button.is_shown) width += ImGui::GetFrameHeight() + frame_.px(2);
        return width;
    }

    void draw_row_buttons(std::size_t index, ImVec2 at) {
        const FormRow& row = state_.rows[index];
        const std::array<RowButton, 4> all = buttons_of(row);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!all[i].is_shown) continue;
            set_cursor_screen_pos(at);
            at.x += ImGui::GetFrameHeight() + frame_.px(2);
            if (ImGui::Button(all[i].label, {ImGui::GetFrameHeight(), 0})) {
                state_.at = index;
                state_.has_keys = true;
                if (i == 0) open_menu(menu_of_additions(state_, row));
                if (i == 1) move_element(-1);
                if (i == 2) move_element(1);
                if (i == 3) remove_value(row);
            }
            explain_item(all[i].meaning);
        }
    }

    Frame& frame_;
    ScenarioFormState& state_;
};

}  // namespace

void draw_form(Frame& frame, ScenarioFormState& state) {
    begin_child("form", {0, 0}, false, ImGuiWindowFlags_AlwaysVerticalScrollbar);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeightWithSpacing();
    ScenarioForm form(frame, state);
    if (std::exchange(state.leaves, false)) leave_text_box();
    const bool was_typing = state.typing.has_value();
    form.draw();
    const bool had_menu = state.menu.has_value();
    ImGui::EndChild();
    if (had_menu)
        draw_menu(frame, state, {at.x + frame.px(120), at.y + height * static_cast<float>(state.at + 1)});
    else if (!was_typing)
        form.handle_keys();
}

}  // namespace ui
