#include "ui/panels/code_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string_view>

#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/platform/shapes.h"

// ImGui's multi-line box is as large as its whole text and is inside a scrolling child window, so that the
// line numbers scroll with the text. A callback adds what ImGui lacks: undo over all edits, spaces for Tab,
// indentation.

namespace ui {
namespace {

constexpr double kPause = 0.7;  // seconds without an edit, after which the next edit is a new undo version
constexpr int kTabBlanks = 4;

int line_of(std::string_view text, int place) {
    return static_cast<int>(std::count(text.begin(), text.begin() + place, '\n'));
}

// The leading spaces of the line before the one that starts at `line_start`.
std::string previous_line_indentation(std::string_view text, int line_start) {
    if (line_start < 1) return {};
    const std::size_t end = static_cast<std::size_t>(line_start) - 1;
    std::size_t begin = text.rfind('\n', end == 0 ? 0 : end - 1);
    begin = end == 0 || begin == std::string_view::npos ? 0 : begin + 1;
    std::size_t length = 0;
    while (begin + length < end && text[begin + length] == ' ') ++length;
    return std::string(length, ' ');
}

struct TypingCallbackContext {
    CodeBoxState& box;
    const CodeText& code;
    bool tab = false, enter = false;
};

void replace_text(ImGuiInputTextCallbackData& data, const CodeBoxState::Version& version) {
    data.DeleteChars(0, data.BufTextLen);
    data.InsertChars(0, version.text.c_str());
    data.CursorPos = std::min(version.caret, data.BufTextLen);
    data.SelectionStart = data.SelectionEnd = data.CursorPos;
}

void undo_or_redo(ImGuiInputTextCallbackData& data, CodeBoxState& box, bool back) {
    std::vector<CodeBoxState::Version>& from = back ? box.before : box.after;
    std::vector<CodeBoxState::Version>& to = back ? box.after : box.before;
    if (from.empty()) return;
    to.push_back(box.now);
    box.now = std::move(from.back());
    from.pop_back();
    box.since_change = kPause;
    replace_text(data, box.now);
}

// Records the text as a new version for undo. If the text has changed by one character, without a pause and
// not at the start of a line, replaces the last version instead.
void record_version(const ImGuiInputTextCallbackData& data, CodeBoxState& box) {
    const std::string_view text(data.Buf, static_cast<std::size_t>(data.BufTextLen));
    if (text == box.now.text) {
        box.now.caret = data.CursorPos;
        return;
    }
    const std::ptrdiff_t longer = data.BufTextLen - static_cast<std::ptrdiff_t>(box.now.text.size());
    const bool goes_on = box.since_change < kPause && (longer == 1 || longer == -1) && !box.before.empty() &&
                         (data.CursorPos == 0 || text[static_cast<std::size_t>(data.CursorPos) - 1] != '\n');
    if (!goes_on) {
        if (box.before.size() == CodeBoxState::kMost) box.before.erase(box.before.begin());
        box.before.push_back(box.now);
    }
    box.after.clear();
    box.now = {std::string(text), data.CursorPos};
    box.since_change = 0;
}

int on_typing(ImGuiInputTextCallbackData* data) {
    auto& [box, code, tab, enter] = *static_cast<TypingCallbackContext*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        box.text.resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = box.text.data();
        return 0;
    }
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
        if (data->EventChar == '\n') enter = true;
        if (data->EventChar != '\t') return 0;
        tab = true;
        return 1;
    }
    // The remaining event is CallbackAlways: once per frame, after ImGui has processed its input.
    if (box.revision != code.revision) {
        box.revision = code.revision;
        replace_text(*data, {code.text, data->CursorPos});
    }
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl && !io.KeyAlt && is_key_pressed(ImGuiKey_Z)) {
        undo_or_redo(*data, box, !io.KeyShift);
    } else if (io.KeyCtrl && !io.KeyAlt && is_key_pressed(ImGuiKey_Y)) {
        undo_or_redo(*data, box, false);
    } else if (tab) {
        const std::string_view text(data->Buf, static_cast<std::size_t>(data->CursorPos));
        const std::size_t line = text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1;
        const int column = data->CursorPos - static_cast<int>(line);
        data->InsertChars(
            data->CursorPos,
            std::string(static_cast<std::size_t>(kTabBlanks - column % kTabBlanks), ' ').c_str());
    } else if (enter) {
        const std::string_view text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
        if (data->CursorPos > 0 && text[static_cast<std::size_t>(data->CursorPos) - 1] == '\n')
            data->InsertChars(data->CursorPos, previous_line_indentation(text, data->CursorPos).c_str());
    }
    tab = enter = false;
    record_version(*data, box);
    return 0;
}

// Loads `code` into the box if it is another text, or a new revision of the same text.
void load_text(CodeBoxState& box, const CodeText& code) {
    if (box.name == code.name && box.revision == code.revision) return;
    // the text may have been renamed
    const bool is_same = box.name == code.name || box.now.text == code.text;
    if (!is_same) {
        box.before.clear();
        box.after.clear();
    } else if (box.now.text != code.text && !box.is_typed_into) {
        box.before.push_back(box.now);
        box.after.clear();
    }
    box.name = code.name;
    if (box.is_typed_into && is_same) return;  // on_typing() replaces the text in ImGui's buffer
    box.revision = code.revision;
    box.text = code.text;
    box.now = {code.text, 0};
}

void draw_line_numbers(Frame& frame, int line_count, int error_line, float left, float width,
                       ImVec2 text_at) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float height = ImGui::GetFontSize();
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    const int first = std::max(0, static_cast<int>((top - text_at.y) / height));
    const int last = std::min(line_count, static_cast<int>((bottom - text_at.y) / height) + 1);
    for (int i = first; i < last; ++i) {
        const float y = text_at.y + height * static_cast<float>(i);
        const bool is_wrong = i + 1 == error_line;
        if (is_wrong)
            fill_rect(list, {left, y}, {ImGui::GetWindowPos().x + ImGui::GetWindowWidth(), y + height},
                      with_alpha(frame.theme.error, 0.22f));
        const std::string number = fmt::format("{}", i + 1);
        const float room = width - frame.px(8) - ImGui::CalcTextSize(number.c_str()).x;
        list.AddText({left + room, y}, is_wrong ? frame.theme.error : frame.theme.text_dim, number.c_str());
    }
}

// Scrolls to the caret if it has moved. If possible, the line numbers stay visible.
void scroll_to_caret(CodeBoxState& box, float height, float padding, float gutter) {
    const int caret = std::min(box.now.caret, static_cast<int>(box.now.text.size()));
    if (caret == box.shown_caret) return;
    box.shown_caret = caret;
    const auto place = static_cast<std::size_t>(caret);
    const std::size_t line_end = box.now.text.rfind('\n', place == 0 ? 0 : place - 1);
    const std::size_t begin = place == 0 || line_end == std::string::npos ? 0 : line_end + 1;
    const float x =
        gutter + ImGui::CalcTextSize(box.now.text.substr(begin, place - begin).c_str()).x + 2 * height;
    ImGui::SetScrollX(std::max(0.0f, x - ImGui::GetWindowWidth()));
    const float y = padding + height * static_cast<float>(line_of(box.now.text, caret)),
                room = ImGui::GetWindowHeight();
    if (y < ImGui::GetScrollY())
        ImGui::SetScrollY(y);
    else if (y + 2 * height > ImGui::GetScrollY() + room)
        ImGui::SetScrollY(y + 2 * height - room);
}

}  // namespace

std::optional<std::string> draw_code_box(Frame& frame, CodeBoxState& box, const CodeText& code) {
    const int wrong = code.wrong;
    load_text(box, code);
    box.since_change += frame.dt;
    push_font(frame.fonts.mono);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, frame.theme.background);
    begin_child("text", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
    const int lines = line_of(box.text, static_cast<int>(box.text.size())) + 1;
    const float height = ImGui::GetFontSize(), padding = ImGui::GetStyle().FramePadding.y;
    const float gutter = ImGui::CalcTextSize(fmt::format("{}", std::max(lines, 99)).c_str()).x + frame.px(14);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_line_numbers(frame, lines, wrong, at.x, gutter, {at.x + gutter, at.y + padding});
    if (wrong > 0 && box.last_error_line != wrong)
        ImGui::SetScrollY(
            std::max(0.0f, padding + height * static_cast<float>(wrong - 1) - ImGui::GetWindowHeight() / 2));
    box.last_error_line = wrong;
    const ImVec2 size{std::max(ImGui::CalcTextSize(box.text.c_str()).x + frame.px(12),
                               ImGui::GetContentRegionAvail().x - gutter),
                      std::max(height * static_cast<float>(lines + 2) + 2 * padding,
                               ImGui::GetContentRegionAvail().y - frame.px(2))};
    set_cursor_screen_pos({at.x + gutter, at.y});
    if (box.entered) focus_box_that_accepts_tabs();
    if (box.enters) focus_next_item();
    if (box.enters || !box.is_typed_into) box.shown_caret = -1;
    if (box.leaves && box.is_typed_into) ImGui::SetWindowFocus(nullptr);
    box.entered = box.enters;
    box.enters = false;
    TypingCallbackContext typing{box, code};
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0, 0, 0, 0));
    // The box is not drawn if it must lose the focus, because ImGui removes the focus from a box that is
    // not drawn.
    const bool edited =
        !box.leaves && ImGui::InputTextMultiline(
                           "##code", box.text.data(), box.text.size() + 1, size,
                           (is_keyboard_navigation_on() ? 0 : ImGuiInputTextFlags_AllowTabInput) |
                               ImGuiInputTextFlags_NoUndoRedo | ImGuiInputTextFlags_CallbackResize |
                               ImGuiInputTextFlags_CallbackCharFilter | ImGuiInputTextFlags_CallbackAlways,
                           on_typing, &typing);
    box.is_typed_into = !box.leaves && ImGui::IsItemActive();
    box.leaves = false;
    ImGui::PopStyleColor();
    if (box.is_typed_into) scroll_to_caret(box, height, padding, gutter);
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::PopFont();
    return edited && box.text != code.text ? std::optional(box.text) : std::nullopt;
}

}  // namespace ui
