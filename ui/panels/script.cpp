// SCRIPT: the editor for the script of run A's policy, with errors at their line.
//
// ImGui's multi-line box has the size of its text, in a scrolling child, so that line numbers scroll along. A
// callback adds what ImGui lacks: undo over all edits, spaces for Tab, indentation.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string_view>

#include "ui/control/control.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/script_box.h"
#include "ui/platform/shapes.h"
#include "ui/view/edited_script.h"

namespace ui {
namespace {

constexpr double kPause = 0.7;  // pause in seconds after which an edit is a new undo version
constexpr int kTabBlanks = 4;

// The error in the edited text. If the text has no error and runs use it, this is the script error that
// ended a run.
struct ScriptError {
    std::string words;
    int line = 0;
};

ScriptError trouble_of(const Model& model) {
    const EditedScript& script = *model.script;
    if (!script.problem.empty()) return {script.problem, script.line};
    if (script.is_changed()) return {};
    for (const Run* run : {model.a, model.b})
        if (const ScriptFailure* failure = run == nullptr ? nullptr : run->failure();
            failure != nullptr && failure->script == script.name)
            return {failure->words, failure->line};
    return {};
}

std::string state_of(const EditedScript& script) {
    std::string state = script.is_builtin  ? "built in; your changes become a script of your own"
                        : !script.kept     ? "not saved in a file yet"
                        : script.is_kept() ? "saved"
                                           : "changed, not saved";
    if (script.is_changed() && script.problem.empty()) state += "; not run yet";
    if (script.changed_elsewhere) state += "; the file has changed on disk";
    return state;
}

int line_of(std::string_view text, int place) {
    return static_cast<int>(std::count(text.begin(), text.begin() + place, '\n'));
}

// The leading spaces of the line before the one that starts at `place`.
std::string indentation_before(std::string_view text, int place) {
    if (place < 1) return {};
    const std::size_t end = static_cast<std::size_t>(place) - 1;
    std::size_t begin = text.rfind('\n', end == 0 ? 0 : end - 1);
    begin = end == 0 || begin == std::string_view::npos ? 0 : begin + 1;
    std::size_t length = 0;
    while (begin + length < end && text[begin + length] == ' ') ++length;
    return std::string(length, ' ');
}

struct Typing {
    ScriptEditorState& box;
    const EditedScript& script;
    bool tab = false, enter = false;
};

void replace_all(ImGuiInputTextCallbackData& data, const ScriptEditorState::Version& version) {
    data.DeleteChars(0, data.BufTextLen);
    data.InsertChars(0, version.text.c_str());
    data.CursorPos = std::min(version.caret, data.BufTextLen);
    data.SelectionStart = data.SelectionEnd = data.CursorPos;
}

void go_through_versions(ImGuiInputTextCallbackData& data, ScriptEditorState& box, bool back) {
    std::vector<ScriptEditorState::Version>& from = back ? box.before : box.after;
    std::vector<ScriptEditorState::Version>& to = back ? box.after : box.before;
    if (from.empty()) return;
    to.push_back(box.now);
    box.now = std::move(from.back());
    from.pop_back();
    box.since_change = kPause;
    replace_all(data, box.now);
}

// Records the text as a new version for undo. If the text has changed by one character, without a pause and
// not at the start of a line, replaces the last version instead.
void note_version(const ImGuiInputTextCallbackData& data, ScriptEditorState& box) {
    const std::string_view text(data.Buf, static_cast<std::size_t>(data.BufTextLen));
    if (text == box.now.text) {
        box.now.caret = data.CursorPos;
        return;
    }
    const std::ptrdiff_t longer = data.BufTextLen - static_cast<std::ptrdiff_t>(box.now.text.size());
    const bool goes_on = box.since_change < kPause && (longer == 1 || longer == -1) && !box.before.empty() &&
                         (data.CursorPos == 0 || text[static_cast<std::size_t>(data.CursorPos) - 1] != '\n');
    if (!goes_on) {
        if (box.before.size() == ScriptEditorState::kMost) box.before.erase(box.before.begin());
        box.before.push_back(box.now);
    }
    box.after.clear();
    box.now = {std::string(text), data.CursorPos};
    box.since_change = 0;
}

int on_typing(ImGuiInputTextCallbackData* data) {
    auto& [box, script, tab, enter] = *static_cast<Typing*>(data->UserData);
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
    if (box.revision != script.revision) {
        box.revision = script.revision;
        replace_all(*data, {script.text, data->CursorPos});
    }
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl && !io.KeyAlt && is_key_pressed(ImGuiKey_Z)) {
        go_through_versions(*data, box, !io.KeyShift);
    } else if (io.KeyCtrl && !io.KeyAlt && is_key_pressed(ImGuiKey_Y)) {
        go_through_versions(*data, box, false);
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
            data->InsertChars(data->CursorPos, indentation_before(text, data->CursorPos).c_str());
    }
    tab = enter = false;
    note_version(*data, box);
    return 0;
}

// Loads `script` into the box if it is another script or has a new text.
void take_text(ScriptEditorState& box, const EditedScript& script) {
    if (box.name == script.name && box.revision == script.revision) return;
    // the script may have been renamed
    const bool is_same = box.name == script.name || box.now.text == script.text;
    if (!is_same) {
        box.before.clear();
        box.after.clear();
    } else if (box.now.text != script.text && !box.is_typed_into) {
        box.before.push_back(box.now);
        box.after.clear();
    }
    box.name = script.name;
    if (box.is_typed_into && is_same) return;  // on_typing() replaces the text
    box.revision = script.revision;
    box.text = script.text;
    box.now = {script.text, 0};
}

void button(Frame& frame, const char* label, bool enabled, const char* meaning,
            const std::function<void(Control&)>& done) {
    ImGui::BeginDisabled(!enabled);
    if (ImGui::Button(label)) frame.ask(done);
    ImGui::EndDisabled();
    explain_item(meaning);
    ImGui::SameLine();
}

void beginnings(Frame& frame, const char* label) {
    ImGui::SetNextItemWidth(std::min(frame.px(150), ImGui::GetContentRegionAvail().x));
    if (ImGui::BeginCombo("##new", label, ImGuiComboFlags_HeightLarge)) {
        for (const sim::PolicyInfo& info : sim::script_policies()) {
            if (ImGui::Selectable(info.name.c_str()))
                frame.ask([name = info.name](Control& control) { control.new_script(name); });
            explain_item(info.summary);
        }
        ImGui::EndCombo();
    } else {
        explain_item("Creates your own script as a copy of a built-in one.");
    }
}

void bar(Frame& frame, const EditedScript& script) {
    coloured_text(frame.theme.text, sim::printable(script.name));
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    text_cut(state_of(script), ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleColor();
    button(frame, "Run", true, "Ctrl+Enter: runs this text and keeps the position.",
           [](Control& control) { control.run_script(); });
    frame.memory.of<ScriptEditorState>().asks_to_save = false;
    ImGui::BeginDisabled(!script.is_builtin && script.is_kept());
    if (ImGui::Button("Save")) frame.memory.of<ScriptEditorState>().asks_to_save = true;
    ImGui::EndDisabled();
    explain_item("Ctrl+S: saves the script to its file, or asks for a name, and runs it.");
    ImGui::SameLine();
    button(frame, "Revert", !script.is_kept() && (script.kept || script.is_changed()),
           "Discards all edits since the script was saved.",
           [](Control& control) { control.revert_script(); });
    beginnings(frame, "New script like...");
}

void lines_beside(Frame& frame, int lines, int wrong, float left, float width, ImVec2 text_at) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float height = ImGui::GetFontSize();
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    const int first = std::max(0, static_cast<int>((top - text_at.y) / height));
    const int last = std::min(lines, static_cast<int>((bottom - text_at.y) / height) + 1);
    for (int i = first; i < last; ++i) {
        const float y = text_at.y + height * static_cast<float>(i);
        const bool is_wrong = i + 1 == wrong;
        if (is_wrong)
            fill_rect(list, {left, y}, {ImGui::GetWindowPos().x + ImGui::GetWindowWidth(), y + height},
                      with_alpha(frame.theme.error, 0.22f));
        const std::string number = fmt::format("{}", i + 1);
        const float room = width - frame.px(8) - ImGui::CalcTextSize(number.c_str()).x;
        list.AddText({left + room, y}, is_wrong ? frame.theme.error : frame.theme.text_dim, number.c_str());
    }
}

// Scrolls to the caret if it has moved. If possible, the line numbers stay visible.
void scroll_to_caret(ScriptEditorState& box, float height, float padding, float gutter) {
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

void text_box(Frame& frame, const EditedScript& script, int wrong) {
    ScriptEditorState& box = frame.memory.of<ScriptEditorState>();
    take_text(box, script);
    box.since_change += frame.dt;
    push_font(frame.fonts.mono);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, frame.theme.background);
    ImGui::BeginChild("text", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoNav);
    const int lines = line_of(box.text, static_cast<int>(box.text.size())) + 1;
    const float height = ImGui::GetFontSize(), padding = ImGui::GetStyle().FramePadding.y;
    const float gutter = ImGui::CalcTextSize(fmt::format("{}", std::max(lines, 99)).c_str()).x + frame.px(14);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    lines_beside(frame, lines, wrong, at.x, gutter, {at.x + gutter, at.y + padding});
    if (wrong > 0 && box.shown_wrong != wrong)
        ImGui::SetScrollY(
            std::max(0.0f, padding + height * static_cast<float>(wrong - 1) - ImGui::GetWindowHeight() / 2));
    box.shown_wrong = wrong;
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
    Typing typing{box, script};
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0, 0, 0, 0));
    // The box is not drawn if it must lose the focus, because ImGui removes the focus from a box that is
    // not drawn.
    const bool edited =
        !box.leaves && ImGui::InputTextMultiline(
                           "##script", box.text.data(), box.text.size() + 1, size,
                           ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_NoUndoRedo |
                               ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackCharFilter |
                               ImGuiInputTextFlags_CallbackAlways,
                           on_typing, &typing);
    box.is_typed_into = !box.leaves && ImGui::IsItemActive();
    box.leaves = false;
    ImGui::PopStyleColor();
    if (edited && box.text != script.text)
        frame.ask([text = box.text](Control& control) { control.type_script(text); });
    if (box.is_typed_into) scroll_to_caret(box, height, padding, gutter);
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

const char* const kNoScript =
    "This policy is part of the program, in C++: it has no script. Choose a script, or create one of your "
    "own.";

}  // namespace

void draw_script(Frame& frame) {
    frame.memory.of<ScriptEditorState>().is_drawn = true;
    if (draw_message_if_no_scenario(frame)) return;
    const EditedScript& script = *frame.model.script;
    if (script.name.empty() || (script.text.empty() && script.in_force.empty() && !script.kept)) {
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
        ImGui::TextWrapped("%s", kNoScript);
        ImGui::PopStyleColor();
        beginnings(frame, "New script like...");
        return;
    }
    bar(frame, script);
    const ScriptError trouble = trouble_of(frame.model);
    if (!trouble.words.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
        ImGui::TextWrapped("%s", trouble.words.c_str());
        ImGui::PopStyleColor();
    }
    text_box(frame, script, trouble.line);
}

std::string script_text(const Model& model, const ViewState&) {
    if (model.a == nullptr) return "No scenario is open.\n";
    const EditedScript& script = *model.script;
    if (script.name.empty() || (script.text.empty() && script.in_force.empty() && !script.kept))
        return std::string(kNoScript) + "\n";
    const ScriptError trouble = trouble_of(model);
    std::string all = fmt::format("{}, {}\n", script.name, state_of(script));
    if (!trouble.words.empty()) all += trouble.words + "\n";
    int number = 0;
    for (std::string_view rest = script.text; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        ++number;
        all += fmt::format("{} {:>3}  {}\n", number == trouble.line ? '>' : ' ', number, line);
    }
    return all;
}

}  // namespace ui
