#include "ui/app/overlays.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "sim/base/text.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "ui/app/app.h"
#include "ui/panels/drawing.h"
#include "ui/platform/shapes.h"
#include "ui/view/edited_script.h"
#include "ui/view/format.h"
#include "ui/view/saving.h"

namespace ui {
namespace {

// Whether the text contains every word of the filter.
bool passes(const std::string& text, const std::string& filter) {
    const std::string in = lowered(text);
    std::string word;
    for (const char c : lowered(filter) + " ") {
        if (c != ' ') {
            word += c;
        } else if (!word.empty()) {
            if (in.find(word) == std::string::npos) return false;
            word.clear();
        }
    }
    return true;
}

struct Listed {
    std::string name, title, question, watch;
};

// The built-in scenarios, read once.
const std::vector<Listed>& listed() {
    static const std::vector<Listed> all = [] {
        std::vector<Listed> list;
        for (const std::string& name : sim::builtin_names("")) {
            const sim::Scenario s = sim::load_scenario(name);
            list.push_back({name, s.title, s.question, s.watch});
        }
        return list;
    }();
    return all;
}

// The recently opened files, then the built-in scenarios.
std::vector<Listed> all_listed(const App& app) {
    std::vector<Listed> all;
    for (const std::string& file : app.recent()) all.push_back({file, "opened recently", "", ""});
    all.insert(all.end(), listed().begin(), listed().end());
    return all;
}

// The scenarios and files that contain the typed words.
std::vector<Listed> matching_scenarios(const App& app) {
    std::vector<Listed> found = all_listed(app);
    std::erase_if(found, [&](const Listed& s) {
        return !passes(s.name + " " + s.title + " " + s.question, app.overlay_box().typed.data());
    });
    return found;
}

std::vector<const Command*> matching_commands(const App& app) {
    std::vector<const Command*> found;
    for (const Command& command : app.commands().all())
        if (passes(command.group + " " + command.title + " " + command.id, app.overlay_box().typed.data()))
            found.push_back(&command);
    return found;
}

bool chooses_to_compare(const App& app) { return app.overlay() == App::Overlay::script_to_compare; }

// The scripts to choose from: those of the user and built-in ones that contain the typed words, and path
// completions.
std::vector<PolicyGroup::Choice> matching_scripts(const App& app) {
    const std::string typed = app.overlay_box().typed.data();
    std::vector<PolicyGroup::Choice> found;
    for (const std::string& own : app.model().own_scripts)
        if (passes(own, typed)) found.push_back({own, "opened or written here"});
    for (const std::string& path : app.overlay_box().completions) {
        const bool is_there = std::any_of(found.begin(), found.end(),
                                          [&](const PolicyGroup::Choice& c) { return c.spec == path; });
        if (!is_there) found.push_back({path, path.ends_with('/') ? "a directory" : "a file"});
    }
    for (const sim::PolicyInfo& info : sim::script_policies())
        if (passes(info.name + " " + info.summary, typed)) found.push_back({info.name, info.summary});
    return found;
}

std::string keys_text(const Command& command) {
    std::string text;
    for (const Chord& chord : command.keys) text += (text.empty() ? "" : ", ") + display_name(chord);
    return text;
}

// A box in the middle of the window, over a shade, of this size if it fits. Returns false if it is to be
// closed.
bool begin_box(const char* title, Frame& frame, float width, float height) {
    const ImVec2 whole = ImGui::GetIO().DisplaySize;
    ImGui::GetBackgroundDrawList();
    const ImVec2 size{std::min(frame.px(width), whole.x * 0.96F),
                      std::min(frame.px(height), whole.y * 0.92F)};
    ImGui::SetNextWindowPos({(whole.x - size.x) / 2, (whole.y - size.y) / 2});
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::Begin(title, nullptr,
                 ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings);
    return !close_button();
}

void dim(Frame& frame, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text_dim);
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::PopStyleColor();
}

// The box with the filter; the arrow keys move the choice. Returns whether Enter was pressed.
bool filter_box(OverlayBox& box, const char* hint, std::size_t count) {
    if (box.just_opened) {
        box.typed[0] = '\0';
        box.chosen = 0;
        box.replacement.clear();
        box.completes = false;
    }
    // Nothing else here takes keys, so this box always has the focus, also after a click elsewhere.
    if (box.just_opened || !(ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown())) focus_next_item();
    ImGui::SetNextItemWidth(-1);
    struct Choice {
        OverlayBox& box;
        std::size_t& chosen;
        std::size_t count;
    } choice{box, box.chosen, count};
    const std::size_t before = box.chosen;
    const auto move = [](ImGuiInputTextCallbackData* data) {
        auto& [of, chosen, n] = *static_cast<Choice*>(data->UserData);
        if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) of.completes = true;
        if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways && !of.replacement.empty()) {
            data->DeleteChars(0, data->BufTextLen);
            data->InsertChars(0, of.replacement.c_str());
            of.replacement.clear();
        }
        if (data->EventFlag != ImGuiInputTextFlags_CallbackHistory) return 0;
        if (data->EventKey == ImGuiKey_UpArrow && chosen > 0) --chosen;
        if (data->EventKey == ImGuiKey_DownArrow && chosen + 1 < n) ++chosen;
        return 0;
    };
    const bool entered = ImGui::InputTextWithHint(
        "##filter", hint, box.typed.data(), box.typed.size(),
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory |
            ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackAlways,
        move, &choice);
    box.chosen = count == 0 ? 0 : std::min(box.chosen, count - 1);
    box.chosen_moved = box.just_opened || box.chosen != before;
    return entered;
}

// The width of the widest key (x) and title (y), in pixels.
ImVec2 widest_key_and_title(const App& app, const Frame& frame) {
    ImVec2 widest;
    for (const Command& command : app.commands().all()) {
        widest.x = std::max(widest.x, text_width(frame.fonts.sans, keys_text(command)));
        widest.y = std::max(widest.y, text_width(frame.fonts.sans, command.title));
    }
    return widest;
}

void help(App& app, Frame& frame) {
    const float gap = frame.px(12);
    const ImVec2 widest = widest_key_and_title(app, frame), pair{widest.x + gap, widest.y + gap};
    const float beside = 2 * (pair.x + pair.y) + frame.px(40);  // the box with two commands per row
    if (!begin_box("Keys", frame, beside / frame.px(1), 760)) app.show_overlay(App::Overlay::none);
    dim(frame, app.rebinding().empty() ? "Keys are identified by their position on the keyboard. Click a key "
                                         "to change it; Esc closes this."
                                       : "Press the new key. Esc keeps the old one.");
    ImGui::Separator();
    ImGui::BeginChild("keys");
    const bool two = ImGui::GetContentRegionAvail().x > 2 * pair.x + frame.px(440);
    std::string group;
    if (ImGui::BeginTable("table", two ? 4 : 2)) {
        for (int column = 0; column < (two ? 4 : 2); column += 2) {
            ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, pair.x);
            ImGui::TableSetupColumn("title", ImGuiTableColumnFlags_WidthStretch);
        }
        std::size_t in_group = 0;
        for (const Command& command : app.commands().all()) {
            if (command.group != group) {
                group = command.group;
                in_group = 0;
                ImGui::TableNextRow();
                ImGui::TableNextColumn();
                ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.accent);
                ImGui::TextUnformatted(group.c_str());
                ImGui::PopStyleColor();
            }
            if (!two || in_group++ % 2 == 0) ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushID(command.id.c_str());
            const bool waiting = app.rebinding() == command.id;
            const std::string label = waiting                ? "press a key"
                                      : command.keys.empty() ? "-"
                                                             : keys_text(command);
            if (ImGui::SmallButton(label.c_str())) app.ask([id = command.id](App& a) { a.rebind(id); });
            ImGui::PopID();
            ImGui::TableNextColumn();
            ImGui::TextWrapped("%s", command.title.c_str());
        }
        ImGui::EndTable();
    }
    ImGui::Separator();
    dim(frame,
        "Mouse: the wheel zooms at the pointer; with Shift it scrolls the tracks. Drag over the timeline to "
        "select a time range; drag with the right button or Shift to move the view. Click to go there, "
        "Alt+click for cursor A, Alt+Shift+click for cursor B. Drag the gap between two panes to resize "
        "them.");
    ImGui::EndChild();
    ImGui::End();
}

void palette(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    if (!begin_box("All commands", frame, 620, 560)) app.show_overlay(App::Overlay::none);
    const bool entered = filter_box(box, "search words", matching_commands(app).size());
    const std::vector<const Command*> found = matching_commands(app);
    const auto take = [&](const Command* command) {
        app.show_overlay(App::Overlay::none);
        app.ask([command](App& a) { command->run(a); });
    };
    ImGui::BeginChild("commands");
    for (std::size_t i = 0; i < found.size(); ++i) {
        ImGui::PushID(found[i]->id.c_str());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (ImGui::Selectable("##command", i == box.chosen)) take(found[i]);
        if (i == box.chosen && box.chosen_moved) ImGui::SetScrollHereY();
        ImGui::PopID();
        const std::string keys = keys_text(*found[i]);
        const float right = ImGui::CalcTextSize(keys.c_str()).x;
        const float width = ImGui::GetContentRegionAvail().x;
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddText(at, frame.theme.text, (found[i]->group + ": " + found[i]->title).c_str());
        list.AddText({at.x + width - right, at.y}, frame.theme.text_dim, keys.c_str());
    }
    if (found.empty()) dim(frame, "No command matches.");
    ImGui::EndChild();
    if (entered && box.chosen < found.size()) take(found[box.chosen]);
    ImGui::End();
}

void picker(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    if (!begin_box("Open a scenario", frame, 760, 640)) app.show_overlay(App::Overlay::none);
    const bool asks = app.backend().offers_files();
    if (asks && ImGui::Button("Open a file..."))
        app.ask([](App& a) {
            a.show_overlay(App::Overlay::none);
            a.backend().choose_file();
        });
    const bool entered = filter_box(box, asks ? "search words" : "search words, or the path of a file",
                                    matching_scenarios(app).size());
    const std::vector<Listed> found = matching_scenarios(app);
    const auto take = [&](const std::string& name) {
        app.show_overlay(App::Overlay::none);
        frame.ask([name](Control& control) { control.open_soon(name); });
    };
    ImGui::BeginChild("scenarios");
    for (std::size_t i = 0; i < found.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const float wrap = width - frame.px(16);
        const std::string question = found[i].question;
        const std::string watch = found[i].watch.empty() ? "" : "Watch: " + found[i].watch;
        const auto height_of = [&](const std::string& text) {
            return text.empty() ? 0 : ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap).y;
        };
        const float height =
            ImGui::GetTextLineHeightWithSpacing() + height_of(question) + height_of(watch) + frame.px(10);
        if (ImGui::Selectable("##scenario", i == box.chosen, 0, {width, height})) take(found[i].name);
        if (i == box.chosen && box.chosen_moved) ImGui::SetScrollHereY();
        ImGui::PopID();
        const ImVec2 after = ImGui::GetCursorPos();
        set_cursor_screen_pos({at.x + frame.px(6), at.y + frame.px(2)});
        ImGui::BeginGroup();
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + wrap);
        ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.accent);
        ImGui::TextUnformatted((sim::printable(found[i].name) + "   " + found[i].title).c_str());
        ImGui::PopStyleColor();
        ImGui::TextUnformatted(question.c_str());
        if (!watch.empty()) dim(frame, watch);
        ImGui::PopTextWrapPos();
        ImGui::EndGroup();
        set_cursor_pos(after);
        ImGui::Spacing();
    }
    if (found.empty()) dim(frame, "Enter opens the file with this name.");
    ImGui::EndChild();
    if (entered) {
        if (found.empty())
            take(box.typed.data());
        else if (box.chosen < found.size())
            take(found[box.chosen].name);
    }
    ImGui::End();
}

// Runs the chosen script. A directory replaces the typed text instead.
void take_script(App& app, Frame& frame, const std::string& path) {
    OverlayBox& box = app.overlay_box();
    if (path.ends_with('/')) {
        box.replacement = path;
        box.chosen = 0;
        return;
    }
    const bool compares = chooses_to_compare(app);
    app.show_overlay(App::Overlay::none);
    frame.ask([path, compares](Control& control) {
        if (compares)
            control.comparison().compare_with(path);
        else
            control.set_policy(path);
    });
}

void script_picker(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    const bool compares = chooses_to_compare(app);
    if (!begin_box(compares ? "Compare with a script" : "Run under a script", frame, 760, 560))
        app.show_overlay(App::Overlay::none);
    const bool asks = app.backend().offers_files();
    if (asks && !compares && ImGui::Button("Open a file..."))
        app.ask([](App& a) {
            a.show_overlay(App::Overlay::none);
            a.backend().choose_file();
        });
    const bool entered =
        filter_box(box, "search words, or the path of a .lua file", matching_scripts(app).size());
    if (const std::string typed = box.typed.data(); typed != box.listed_for || box.just_opened) {
        box.listed_for = typed;
        box.completions = completions_of(typed);
    }
    const std::vector<PolicyGroup::Choice> found = matching_scripts(app);
    std::optional<std::string> taken;
    ImGui::BeginChild("scripts");
    for (std::size_t i = 0; i < found.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        if (ImGui::Selectable("##script", i == box.chosen)) taken = found[i].spec;
        if (i == box.chosen && box.chosen_moved) ImGui::SetScrollHereY();
        ImGui::PopID();
        const std::string name = sim::printable(found[i].spec);
        const float name_width = std::max(frame.px(130), ImGui::CalcTextSize(name.c_str()).x + frame.px(16));
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddText({at.x + frame.px(4), at.y}, frame.theme.text, name.c_str());
        list.AddText({at.x + name_width, at.y}, frame.theme.text_dim,
                     cut_to(found[i].summary, width - name_width).c_str());
    }
    if (found.empty()) dim(frame, "Enter opens the file with this name.");
    ImGui::EndChild();
    // Tab completes the text with the choice.
    if (std::exchange(box.completes, false) && box.chosen < found.size())
        box.replacement = found[box.chosen].spec;
    if (entered && found.empty()) taken = box.typed.data();
    if (entered && box.chosen < found.size()) taken = found[box.chosen].spec;
    if (taken && !taken->empty()) take_script(app, frame, *taken);
    ImGui::End();
}

void go_to(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    if (!begin_box("Go to", frame, 420, 150)) app.show_overlay(App::Overlay::none);
    const bool entered = filter_box(box, "12.5ms, or switch 37, or decision 37", 0);
    dim(frame, "A time (ns, us, ms, s, h), or the number of a switch or decision.");
    ImGui::End();
    if (!entered) return;
    const std::string text = box.typed.data();
    app.show_overlay(App::Overlay::none);
    frame.ask([text](Control& control) { control.navigator().go_to(text); });
}

std::string joined_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
}

// Saves under the typed name. An existing file is replaced only after the question was shown.
void try_to_save(App& app) {
    OverlayBox& box = app.overlay_box();
    const std::string typed = box.typed.data();
    const bool replace = !box.question.empty();
    Control& control = app.control();
    const Saved saved = app.overlay() == App::Overlay::save_script  ? control.save_script(typed, replace)
                        : app.overlay() == App::Overlay::export_run ? control.exporter().begin(typed, replace)
                                                                    : control.save_as(typed, replace);
    const bool asks = saved.outcome == Saved::Outcome::exists;
    box.question = asks ? sim::printable_lines(saved.words) : "";
    box.problem = asks ? "" : sim::printable_lines(saved.words);
    if (saved.outcome == Saved::Outcome::saved) return app.show_overlay(App::Overlay::none);
    if (app.overlay() == App::Overlay::save) box.words = save_words(app);
}

// Whether Enter was pressed in this frame. Repeats of a held key do not count: they would answer the question
// that the first press raised.
bool enter_went_down() {
    const ImGuiKey keys[] = {ImGuiKey_Enter, kKeypadEnter};
    return std::any_of(std::begin(keys), std::end(keys),
                       [](ImGuiKey key) { return is_key_pressed(key, /*repeat=*/false); });
}

// The initial file name in the box.
std::string proposed_name(const App& app) {
    if (app.overlay() == App::Overlay::save) return proposed_file(app.control().source_text());
    if (app.overlay() == App::Overlay::export_run) return proposed_export(app.control().source_text());
    const EditedScript& script = app.control().script();
    return script.is_builtin ? own_script_name(script.name, {}) : script.name;
}

const char* title_of_save(Overlay overlay) {
    return overlay == Overlay::save_script  ? "Save the script as"
           : overlay == Overlay::export_run ? "Export as"
                                            : "Save as";
}

// Dialog to save a scenario or a script, or to export a run.
void save(App& app, Frame& frame) {
    OverlayBox& box = app.overlay_box();
    const bool is_export = app.overlay() == App::Overlay::export_run;
    const float height = app.overlay() == App::Overlay::save_script ? 190 : 300;
    if (!begin_box(title_of_save(app.overlay()), frame, is_export ? 760 : 620, height))
        app.show_overlay(App::Overlay::none);
    if (box.just_opened) {
        const std::string name = typeable(proposed_name(app), box.typed.size() - 1);
        box.typed[name.copy(box.typed.data(), name.size())] = '\0';
    }
    if (box.just_opened || !(ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown())) focus_next_item();
    ImGui::SetNextItemWidth(-1);
    const bool entered =
        ImGui::InputText("##file", box.typed.data(), box.typed.size(),
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll) &&
        enter_went_down();
    if (ImGui::IsItemEdited()) {
        box.problem.clear();
        box.question.clear();
    }
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
    for (const std::string& said : {box.problem, box.question})
        if (!said.empty()) ImGui::TextWrapped("%s", said.c_str());
    ImGui::PopStyleColor();
    ImGui::Spacing();
    if (ImGui::Button(!box.question.empty() ? "Replace" : is_export ? "Export" : "Save") || entered)
        app.ask(try_to_save);
    ImGui::BeginChild("words");
    dim(frame, box.words.changes);
    ImGui::Spacing();
    dim(frame, box.words.left_out);
    ImGui::EndChild();
    ImGui::End();
}

void error_box(App& app, Frame& frame) {
    const std::string& error = frame.model.error;
    const bool kept = frame.model.a != nullptr;
    const auto lines = static_cast<float>(std::count(error.begin(), error.end(), '\n') + 1);
    if (!begin_box(kept ? "This could not be opened; the open run stays" : "This could not be opened", frame,
                   760, 110 + std::min(lines, 20.0F) * 36))
        app.dismiss_error();
    ImGui::BeginChild("problems", {0, -ImGui::GetFrameHeightWithSpacing()});
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.error);
    ImGui::TextWrapped("%s", error.c_str());
    ImGui::PopStyleColor();
    ImGui::EndChild();
    if (ImGui::Button("Close")) app.dismiss_error();
    ImGui::SameLine();
    if (ImGui::Button("Copy")) app.ask([error](App& a) { a.copy(error + "\n"); });
    ImGui::End();
}

}  // namespace

SaveWords save_words(const App& app) {
    SaveWords words;
    try {
        const std::string changes = joined_lines(changes_to_save(app.control().source_text(), app.model()));
        words.changes =
            changes.empty() ? "No changes: this saves a copy." : "Changes in the file:\n" + changes;
    } catch (const std::exception& problem) {
        words.changes = words_of(problem);  // a file of the scenario's machine is missing
    }
    if (const std::string left_out = joined_lines(not_saved(app.model())); !left_out.empty())
        words.left_out = "Not in the file:\n" + left_out;
    words.changes = sim::printable_lines(words.changes);
    return words;
}

SaveWords export_words(const App& app) {
    SaveWords words;
    const std::optional<TimeRange>& selection = app.view().selection;
    const std::string what =
        selection ? "The selection, " + from_to(selection->begin, selection->end) : "The whole run";
    words.changes = fmt::format("{}, under {}. The extension selects the format:\n{}", what,
                                app.model().a->recording().policy().spec(), joined_lines(export_endings()));
    if (app.model().b != nullptr) words.left_out = "Not in the file:\nrun B";
    return words;
}

void draw_overlays(App& app, Frame& frame) {
    if (app.overlay() != App::Overlay::none || !frame.model.error.empty()) {
        // The shade blocks input to everything below it.
        const ImVec2 whole = ImGui::GetIO().DisplaySize;
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(whole);
        ImGui::SetNextWindowBgAlpha(0.5F);
        ImGui::Begin("shade", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                         ImGuiWindowFlags_NoNav);
        const bool beside = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
        ImGui::End();
        // A click outside the box closes it. (A shade with the focus would cover the box.)
        if (beside && !frame.model.error.empty())
            app.dismiss_error();
        else if (beside)
            app.show_overlay(App::Overlay::none);
    }
    switch (app.overlay()) {
        case App::Overlay::none:
            break;
        case App::Overlay::help:
            help(app, frame);
            break;
        case App::Overlay::palette:
            palette(app, frame);
            break;
        case App::Overlay::picker:
            picker(app, frame);
            break;
        case App::Overlay::go_to:
            go_to(app, frame);
            break;
        case App::Overlay::save:
        case App::Overlay::save_script:
        case App::Overlay::export_run:
            save(app, frame);
            break;
        case App::Overlay::script:
        case App::Overlay::script_to_compare:
            script_picker(app, frame);
            break;
    }
    if (!frame.model.error.empty()) error_box(app, frame);
}

std::string overlay_news(const App& app) {
    const OverlayBox& box = app.overlay_box();
    const auto chosen = [&](const char* title, std::size_t count, const auto& name_of) {
        return count == 0 ? fmt::format("{}: no match", title)
                          : fmt::format("{}, {} of {}: {}", title, std::min(box.chosen, count - 1) + 1, count,
                                        name_of(std::min(box.chosen, count - 1)));
    };
    switch (app.overlay()) {
        case App::Overlay::none:
            break;
        case App::Overlay::help:
            return "Keys; Esc closes this";
        case App::Overlay::palette: {
            const std::vector<const Command*> found = matching_commands(app);
            return chosen("All commands", found.size(), [&](std::size_t i) {
                return fmt::format("{}: {}", found[i]->group, found[i]->title);
            });
        }
        case App::Overlay::picker: {
            const std::vector<Listed> found = matching_scenarios(app);
            return chosen("Open a scenario", found.size(), [&](std::size_t i) {
                return fmt::format("{}: {}", found[i].name, found[i].title);
            });
        }
        case App::Overlay::go_to:
            return "Go to: a time, or the number of a switch or decision";
        case App::Overlay::script:
        case App::Overlay::script_to_compare: {
            const std::vector<PolicyGroup::Choice> found = matching_scripts(app);
            return chosen("Scripts", found.size(), [&](std::size_t i) {
                return fmt::format("{}: {}", found[i].spec, found[i].summary);
            });
        }
        case App::Overlay::save:
        case App::Overlay::save_script:
        case App::Overlay::export_run:
            return !box.problem.empty() || !box.question.empty() ? box.problem + box.question
                   : app.overlay() == App::Overlay::export_run   ? "Export as: the name of a file"
                                                                 : "Save as: the name of a file";
    }
    return {};
}

std::string overlay_text(const App& app) {
    const char* const typed = app.overlay_box().typed.data();
    std::string text;
    switch (app.overlay()) {
        case App::Overlay::none:
            break;
        case App::Overlay::help:
            text += "\n== Keys\n";
            for (const Command& c : app.commands().all())
                text += fmt::format("{:<18} {:<14} {}\n", keys_text(c), c.group, c.title);
            break;
        case App::Overlay::palette:
            text += "\n== All commands\n";
            for (const Command* c : matching_commands(app))
                text += fmt::format("{}: {}\n", c->group, c->title);
            break;
        case App::Overlay::picker:
            text += "\n== Open a scenario\n";
            for (const Listed& s : matching_scenarios(app))
                text += fmt::format("{}: {}\n    {}\n    Watch: {}\n", s.name, s.title, s.question, s.watch);
            break;
        case App::Overlay::go_to:
            text += "\n== Go to\n";
            break;
        case App::Overlay::script:
        case App::Overlay::script_to_compare:
            text += chooses_to_compare(app) ? "\n== Compare with a script\n" : "\n== Run under a script\n";
            for (const PolicyGroup::Choice& s : matching_scripts(app))
                text += fmt::format("{}: {}\n", s.spec, s.summary);
            break;
        case App::Overlay::save:
        case App::Overlay::save_script:
        case App::Overlay::export_run: {
            const OverlayBox& box = app.overlay_box();
            text += fmt::format("\n== {}\n{}\n",
                                app.overlay() == App::Overlay::export_run ? "Export as" : "Save as", typed);
            for (const std::string& said : {box.problem, box.question, box.words.changes, box.words.left_out})
                if (!said.empty()) text += said + "\n";
            break;
        }
    }
    if (!app.model().error.empty()) text += "\n== This could not be opened\n" + app.model().error + "\n";
    return text;
}

}  // namespace ui
