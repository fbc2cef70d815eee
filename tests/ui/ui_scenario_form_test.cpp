// The pane SCENARIO: a scenario as a form and as JSON, edited by keyboard and mouse.
#include <SDL.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/rng.h"
#include "sim/core/engine.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_tree.h"
#include "sim/scenario/value_edit.h"
#include "tests/support/scripted_window.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/view/edited_scenario.h"
#include "ui/view/workload.h"

namespace ui_scenario_form_test {

using namespace ui;
using namespace std::chrono_literals;
using sim::JsonValue;

// The window at 1366 x 768 with the form of a new scenario, and a user at the keyboard.
class Editor final : public ScriptedWindow {
  public:
    Editor() : ScriptedWindow({1366, 768}) {
        app.open_example_jobs();
        app.edit_whole_scenario();
        frames(3);
    }

    void frames(int count) {
        for (int i = 0; i < count; ++i) app.run_frame(1.0 / 60);
    }

    void press(SDL_Scancode code, int modifiers = KMOD_NONE) {
        SDL_Event event{};
        event.key.keysym.scancode = code;
        event.key.keysym.sym = SDL_GetKeyFromScancode(code);
        event.key.keysym.mod = static_cast<Uint16>(modifiers);
        event.type = SDL_KEYDOWN;
        event.key.state = SDL_PRESSED;
        SDL_PushEvent(&event);
        frames(1);
        event.type = SDL_KEYUP;
        event.key.keysym.mod = KMOD_NONE;
        event.key.state = SDL_RELEASED;
        SDL_PushEvent(&event);
        frames(1);
    }

    // Types text as a keyboard does, in one frame.
    void type(const std::string& text) {
        for (std::size_t i = 0; i < text.size();) {
            SDL_Event event{};
            event.type = SDL_TEXTINPUT;
            std::size_t length = std::min<std::size_t>(text.size() - i, 24);
            while (i + length < text.size() && (static_cast<unsigned char>(text[i + length]) & 0xc0) == 0x80)
                --length;  // not within a character
            text.copy(event.text.text, length, i);
            SDL_PushEvent(&event);
            i += length;
            frames(1);
        }
        frames(1);
    }

    const ScenarioFormState& form() { return app.scenario_form(); }
    const EditedScenario& edited() const { return app.control().edited_scenario(); }
    const sim::Scenario& scenario() const { return app.model().a->scenario(); }

    // Moves the cursor to the row with this pointer; unfolds the rows that hide it.
    void go_to(const std::string& pointer) {
        for (const FormRow& hiding : form().rows)
            if (hiding.is_folded && pointer.starts_with(hiding.pointer + "/")) {
                move_to(std::string(hiding.pointer));
                press(SDL_SCANCODE_RIGHT);
                frames(1);
                return go_to(pointer);
            }
        move_to(pointer);
    }

    void move_to(const std::string& pointer) {
        const auto row = std::find_if(form().rows.begin(), form().rows.end(),
                                      [&](const FormRow& r) { return r.pointer == pointer; });
        ASSERT_NE(row, form().rows.end()) << pointer << "\n" << edited().text;
        const auto goal = static_cast<std::size_t>(row - form().rows.begin());
        if (goal > form().at + 30 && goal + 20 > form().rows.size()) press(SDL_SCANCODE_END);
        if (form().at > goal + 30 && goal < 20) press(SDL_SCANCODE_HOME);
        for (int presses = 0; form().at != goal; ++presses) {
            ASSERT_LT(presses, 400) << pointer << "\n" << app.text();
            const bool down = form().at < goal;
            const std::size_t away = down ? goal - form().at : form().at - goal;
            const bool page = away > 5;
            press(down ? (page ? SDL_SCANCODE_PAGEDOWN : SDL_SCANCODE_DOWN)
                       : (page ? SDL_SCANCODE_PAGEUP : SDL_SCANCODE_UP));
        }
    }

    const FormRow& row() { return *form().row(); }

    // Chooses the entry with this label in the open menu, for which `fits` is true.
    void choose(const std::string& label, const std::function<bool(const FormEntry&)>& fits) {
        ASSERT_TRUE(form().menu.has_value())
            << label << form().has_keys << form().typing.has_value() << row().pointer << app.text();
        type(label);
        for (int i = 0; i < 40; ++i) {
            ASSERT_TRUE(form().menu.has_value());
            std::vector<const FormEntry*> shown;
            for (const bool starts : {true, false})
                for (const FormEntry& entry : form().menu->entries)
                    if (const std::size_t at = entry.label.find(form().menu->filter);
                        at != std::string::npos && (at == 0) == starts)
                        shown.push_back(&entry);
            ASSERT_FALSE(shown.empty()) << label;
            const FormEntry& chosen = *shown[form().menu->chosen];
            if (chosen.label == label && fits(chosen)) break;
            press(SDL_SCANCODE_DOWN);
        }
        press(SDL_SCANCODE_RETURN);
        frames(1);
    }
};

// Builds a scenario in the form by keyboard alone.
class Builder {
  public:
    explicit Builder(Editor& editor) : editor_(editor) {}

    // Makes the value at `pointer`, which exists, equal to `value`.
    void make(const std::string& pointer, const JsonValue& value) {
        editor_.go_to(pointer);
        if (testing::Test::HasFatalFailure()) return;
        choose_variants(value);
        if (testing::Test::HasFatalFailure()) return;
        const JsonValue* content = &value;
        if (const FormRow& row = editor_.row(); row.cell) {
            content = sub_value(value, pointer, row.cell->pointer);
            const std::string wanted =
                content->is_string() ? std::string(content->text()) : content->to_nlohmann_json().dump();
            if (row.cell->shown != wanted) {
                editor_.press(SDL_SCANCODE_RETURN);
                editor_.frames(2);
                editor_.type(wanted);
                editor_.press(SDL_SCANCODE_RETURN);
                editor_.frames(1);
                editor_.go_to(pointer);
                ASSERT_EQ(editor_.row().cell->shown, wanted) << pointer;
            }
        }
        if (!editor_.row().content) return;
        const FormContainer inside = *editor_.row().content;
        content = sub_value(value, pointer, inside.pointer);
        content->is_array() ? make_list(pointer, inside, *content)
                            : make_members(pointer, inside, *content, value);
    }

    void make_members(const std::string& row_pointer, const FormContainer& inside, const JsonValue& object,
                      const JsonValue&) {
        std::vector<const JsonValue*> members(object.children().begin(), object.children().end());
        std::sort(members.begin(), members.end(),
                  [](const JsonValue* a, const JsonValue* b) { return a->value_begin() < b->value_begin(); });
        for (const JsonValue* const member : members) {
            const std::string key(member->key());
            const std::string place = inside.pointer + "/" + sim::escaped_pointer_segment(key);
            if (inside.pointer.empty() && key == "format") continue;
            if (is_leading(row_pointer, place)) continue;
            if (sim::value_at(*editor_.form().tree, place) == nullptr) {
                editor_.go_to(row_pointer);
                editor_.press(SDL_SCANCODE_INSERT);
                const bool is_map = inside.node->kind == sim::SchemaNode::Kind::map;
                editor_.choose(is_map ? label_of_entry(inside) : key, [&](const FormEntry& entry) {
                    return entry.addition && entry.content.pointer == inside.pointer;
                });
                if (testing::Test::HasFatalFailure()) return;
                if (is_map) {
                    editor_.frames(2);
                    editor_.type(key);
                    editor_.press(SDL_SCANCODE_RETURN);
                } else if (editor_.form().typing) {
                    editor_.press(SDL_SCANCODE_ESCAPE);
                }
                editor_.frames(1);
            }
            make(place, *member);
            if (testing::Test::HasFatalFailure()) return;
        }
        remove_others(inside.pointer, object);
    }

    void make_list(const std::string& row_pointer, const FormContainer& inside, const JsonValue& list) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::string place = fmt::format("{}/{}", inside.pointer, i);
            if (sim::value_at(*editor_.form().tree, place) == nullptr) {
                editor_.go_to(row_pointer);
                editor_.press(SDL_SCANCODE_INSERT);
                const sim::SchemaVariant* const variant =
                    inside.node->item->variants.empty() ? nullptr : inside.node->item->variant_of(list[i]);
                std::string label = variant != nullptr ? variant->label : "";
                for (const FormEntry& entry : editor_.form().menu->entries)
                    if (label.empty() && entry.addition && entry.content.pointer == inside.pointer)
                        label = entry.label;
                editor_.choose(label, [&](const FormEntry& entry) {
                    return entry.addition && entry.content.pointer == inside.pointer;
                });
                if (testing::Test::HasFatalFailure()) return;
                if (editor_.form().typing) editor_.press(SDL_SCANCODE_ESCAPE);
                editor_.frames(1);
            }
            make(place, list[i]);
            if (testing::Test::HasFatalFailure()) return;
        }
        while (sim::value_at(*editor_.form().tree, inside.pointer)->size() > list.size()) {
            editor_.go_to(fmt::format("{}/{}", inside.pointer, list.size()));
            if (testing::Test::HasFatalFailure()) return;
            editor_.press(SDL_SCANCODE_DELETE);
            editor_.frames(1);
        }
    }

  private:
    // What a new entry of a map is called in the open menu.
    std::string label_of_entry(const FormContainer& inside) {
        for (const FormEntry& entry : editor_.form().menu->entries)
            if (entry.addition && entry.content.pointer == inside.pointer) return entry.label;
        return "";
    }

    // The value below `value`, which is at `pointer`, at the pointer `inner`.
    static const JsonValue* sub_value(const JsonValue& value, const std::string& pointer,
                                      const std::string& inner) {
        const JsonValue* found = &value;
        if (inner.size() > pointer.size()) {
            const auto pieces = sim::json_pointer_segments(inner.substr(pointer.size()));
            for (const std::string& piece : *pieces) found = found->at(piece);
        }
        return found;
    }

    // Whether the row itself shows this member.
    bool is_leading(const std::string& row_pointer, const std::string& place) {
        for (const FormRow& row : editor_.form().rows)
            if (row.pointer == row_pointer && row.cell && row.cell->pointer == place) return true;
        return false;
    }

    void choose_variants(const JsonValue& value) {
        const std::string pointer = editor_.row().pointer;
        for (std::size_t i = 0; i < editor_.row().choices.size(); ++i) {
            const FormChoice choice = editor_.row().choices[i];
            const JsonValue* const inner = sub_value(value, pointer, choice.pointer);
            const sim::SchemaVariant* const wanted = choice.node->variant_of(*inner);
            ASSERT_NE(wanted, nullptr) << choice.pointer;
            if (choice.label == wanted->label) continue;
            editor_.press(SDL_SCANCODE_SPACE);
            editor_.type(" ");
            editor_.choose(wanted->label, [&](const FormEntry& entry) {
                return entry.choice && entry.choice->pointer == choice.pointer;
            });
            if (testing::Test::HasFatalFailure()) return;
            editor_.go_to(pointer);
        }
    }

    // Removes the members that the object must not have, such as the burst of a new task.
    void remove_others(const std::string& pointer, const JsonValue& object) {
        std::vector<std::string> gone;
        for (const JsonValue* const member : sim::value_at(*editor_.form().tree, pointer)->children())
            if (object.find(member->key()) == nullptr)
                gone.push_back(pointer + "/" + sim::escaped_pointer_segment(member->key()));
        for (const std::string& place : gone) {
            editor_.go_to(place);
            if (testing::Test::HasFatalFailure()) return;
            editor_.press(SDL_SCANCODE_DELETE);
            editor_.frames(1);
        }
    }

    Editor& editor_;
};

std::vector<std::string> shipped() {
    std::vector<std::string> names;
    for (const sim::BuiltinFile& file : sim::builtin_files())
        if (file.name.find('/') == std::string_view::npos && file.name.ends_with(".json") &&
            file.name != "schema.json")
            names.emplace_back(file.name);
    return names;
}

// The hash of the machine after the first events of the run.
std::uint64_t hash_of(const std::string& text) {
    constexpr std::uint64_t kEvents = 20'000;
    const sim::Scenario scenario = sim::parse_scenario("t", text);
    const sim::NamedPolicy policy = sim::make_policy(scenario.policy, scenario.cpus);
    const sim::Engine engine(scenario, *policy.policy);
    sim::Machine machine = engine.initial_state();
    engine.run(machine, {.until = scenario.until.value_or(sim::kHorizon), .events = kEvents}, {});
    return machine.hash();
}

TEST(ScenarioForm, EveryShippedScenarioCanBeBuilt) {
    std::size_t built = 0;
    const std::vector<std::string> names = shipped();
    const std::size_t every = rounds<std::size_t>(1, 5, 30);
    for (std::size_t i = 0; i < names.size(); i += every) {
        const sim::ScenarioTree wanted(names[i], std::string(sim::find_builtin_file(names[i])->text));
        Editor editor;
        Builder builder(editor);
        builder.make("", wanted.root());
        ASSERT_FALSE(HasFatalFailure()) << names[i];
        EXPECT_TRUE(editor.edited().is_valid()) << names[i] << editor.edited().problems.front().text();
        const sim::JsonTree now("t", editor.edited().text);
        EXPECT_EQ(now.root().to_nlohmann_json(), wanted.root().to_nlohmann_json()) << names[i];
        EXPECT_EQ(hash_of(editor.edited().text), hash_of(wanted.text())) << names[i];
        ++built;
    }
    EXPECT_GT(built, 1u);
}

// The row with this pointer.
const FormRow& row_at(Editor& editor, const std::string& pointer) {
    const auto row = std::find_if(editor.form().rows.begin(), editor.form().rows.end(),
                                  [&](const FormRow& r) { return r.pointer == pointer; });
    EXPECT_NE(row, editor.form().rows.end()) << pointer;
    return *row;
}

// Types a value in the cell of the row with this pointer.
void type_in(Editor& editor, const std::string& pointer, const std::string& text) {
    editor.go_to(pointer);
    editor.press(SDL_SCANCODE_RETURN);
    editor.frames(2);
    editor.type(text);
    editor.press(SDL_SCANCODE_RETURN);
    editor.frames(2);
}

TEST(ScenarioForm, AnInvalidValueStaysWithItsReasonAndTheRunStays) {
    Editor editor;
    const std::string before = editor.edited().text;
    const std::uint64_t run = editor.app.model().a->id();
    type_in(editor, "/tasks/1/burst", "four");
    EXPECT_EQ(editor.app.model().a->id(), run) << "the run stays";
    EXPECT_FALSE(editor.edited().is_valid());
    const FormRow& row = row_at(editor, "/tasks/1/burst");
    EXPECT_EQ(row.cell->shown, "four");
    EXPECT_NE(row.problem.find("is not a time"), std::string::npos) << row.problem;
    EXPECT_NE(editor.app.text().find("burst [time] four   <- "), std::string::npos) << editor.app.text();

    const SaveResult saved = editor.app.control().save_as("never-written.json", true);
    EXPECT_EQ(saved.outcome, SaveResult::Outcome::failed) << saved.words;
    EXPECT_NE(saved.words.find("/tasks/1/burst"), std::string::npos) << saved.words;
    EXPECT_NE(editor.app.unsaved_prompt().unsaved_changes(), "");

    editor.press(SDL_SCANCODE_Z, KMOD_LCTRL);
    editor.frames(2);
    EXPECT_TRUE(editor.edited().is_valid());
    EXPECT_EQ(editor.edited().text, before) << "undo drops the invalid text";
    type_in(editor, "/tasks/1/burst", "6");
    EXPECT_EQ(sim::burst_of(editor.scenario(), 1), 6ms) << "a time without a unit is in ms";
    editor.press(SDL_SCANCODE_Z, KMOD_LCTRL);
    editor.frames(2);
    EXPECT_EQ(editor.edited().text, before);
}

TEST(ScenarioForm, AProblemIsShownAtItsLineAndNotInThisFormOnly) {
    Editor editor;
    const std::string text = editor.edited().text;
    const std::size_t at = text.find("\"9ms\"");
    editor.app.control().set_scenario_text(std::string(text).replace(at, 5, "\"9 ells\""));
    editor.frames(2);
    ASSERT_EQ(editor.edited().problems.size(), 1u);
    EXPECT_EQ(editor.edited().problems[0].line, 9);
    EXPECT_NE(row_at(editor, "/tasks/2/burst").problem, "");
    editor.app.control().set_scenario_text(std::string(text).replace(at, 5, "\"9ms"));
    editor.frames(2);
    EXPECT_EQ(editor.form().tree, nullptr) << "the text is not JSON";
    EXPECT_NE(editor.app.text().find("9:"), std::string::npos);
    editor.app.control().edit_scenario([](const sim::JsonTree& tree) { return tree.text() + " "; }, {}, {});
    EXPECT_NE(editor.app.model().message, "") << "the form cannot edit what is no JSON";
    editor.app.control().set_scenario_text(std::string(text).replace(at, 5, "\"2ms\""));
    editor.frames(2);
    EXPECT_TRUE(editor.edited().is_valid());
    EXPECT_EQ(sim::burst_of(editor.scenario(), 2), 2ms);
    EXPECT_EQ(row_at(editor, "/tasks/2/burst").cell->shown, "2ms");
}

TEST(ScenarioForm, TheJsonBoxIsLive) {
    Editor editor;
    editor.play("click 900 215\n");  // line 9, in the box
    editor.press(SDL_SCANCODE_END);
    editor.type("   ");
    EXPECT_NE(editor.edited().text.find("\"9ms\"},   \n"), std::string::npos) << editor.edited().text;
    EXPECT_TRUE(editor.edited().is_valid());
    editor.type("x");
    EXPECT_FALSE(editor.edited().is_valid());
    editor.press(SDL_SCANCODE_BACKSPACE);
    EXPECT_TRUE(editor.edited().is_valid());
    editor.press(SDL_SCANCODE_ESCAPE);
    editor.frames(2);
    EXPECT_TRUE(editor.app.view().editing) << "Esc only leaves the box";
    EXPECT_NE(editor.edited().text.find("\"9ms\"},   \n"), std::string::npos);
}

TEST(ScenarioForm, AProgramOfATableBecomesBlocks) {
    Editor editor;
    editor.press(SDL_SCANCODE_ESCAPE);
    editor.press(SDL_SCANCODE_F10);
    editor.frames(2);
    EXPECT_FALSE(editor.app.view().editing);
    const WorkloadTable table = workload_table(editor.app.model());
    editor.play("click 723 95\nsettle\n");  // the button ... in the first row
    ASSERT_TRUE(editor.app.view().editing) << editor.app.text();
    EXPECT_EQ(editor.row().pointer, "/tasks/0/program");
    EXPECT_NE(editor.edited().text.find(R"("program": [{"run": "8ms"}])"), std::string::npos);
    EXPECT_EQ(workload_table(editor.app.model()).mean_waiting, table.mean_waiting) << "the same run";

    editor.press(SDL_SCANCODE_INSERT);
    editor.choose("sleep",
                  [](const FormEntry& entry) { return entry.content.pointer == "/tasks/0/program"; });
    editor.frames(2);
    editor.type("3");
    editor.press(SDL_SCANCODE_RETURN);
    editor.frames(2);
    EXPECT_NE(editor.edited().text.find(R"([{"run": "8ms"}, {"sleep": "3ms"}])"), std::string::npos)
        << editor.edited().text;
    editor.go_to("/tasks/0/program/1");
    editor.press(SDL_SCANCODE_UP, KMOD_LALT);
    editor.frames(2);
    EXPECT_EQ(editor.row().pointer, "/tasks/0/program/0");
    EXPECT_NE(editor.edited().text.find(R"([{"sleep": "3ms"}, {"run": "8ms"}])"), std::string::npos);
    editor.press(SDL_SCANCODE_SPACE);
    editor.type(" ");
    editor.choose("yield", [](const FormEntry&) { return true; });
    EXPECT_NE(editor.edited().text.find(R"(["yield", {"run": "8ms"}])"), std::string::npos)
        << editor.edited().text;
    for (int i = 0; i < 5; ++i) editor.press(SDL_SCANCODE_Z, KMOD_LCTRL);
    editor.frames(2);
    EXPECT_NE(editor.edited().text.find(R"("burst": "8ms"})"), std::string::npos) << editor.edited().text;
}

TEST(ScenarioForm, TheMouseDoesWhatTheKeysDo) {
    Editor editor;
    editor.play("click 400 179\nwait 3\ntext \"fcfs\"\nkey Return\nsettle\n");  // the policy
    EXPECT_EQ(editor.app.model().a->history().policy().spec(), "fcfs");
    editor.play("click 200 153\nwait 3\n");  // the machine's kinds of value
    EXPECT_TRUE(editor.form().menu || editor.form().typing);
    editor.play("key Escape\nkey Escape\n");
    editor.play("click 60 101\nwait 2\nclick 724 101\nwait 2\n");  // the scenario's +
    ASSERT_TRUE(editor.form().menu.has_value());
    editor.play("text \"cpus\"\nwait 2\nkey Return\nwait 3\ntext \"2\"\nkey Return\nsettle\n");
    EXPECT_EQ(editor.scenario().cpus, 2u);
    editor.go_to("/cpus");
    editor.press(SDL_SCANCODE_DELETE);
    editor.frames(2);
    EXPECT_EQ(editor.scenario().cpus, 1u);
}

TEST(ScenarioForm, AMenuClosesWhenTheTextChanges) {
    Editor editor;
    const std::string before = editor.edited().text;
    editor.go_to("/tasks");
    editor.press(SDL_SCANCODE_INSERT);
    editor.choose("task group", [](const FormEntry& entry) { return entry.content.pointer == "/tasks"; });
    editor.frames(2);
    if (editor.form().typing) editor.press(SDL_SCANCODE_ESCAPE);
    editor.go_to("/tasks/4");
    editor.press(SDL_SCANCODE_INSERT);
    ASSERT_TRUE(editor.form().menu.has_value());
    editor.press(SDL_SCANCODE_Z, KMOD_LCTRL);
    EXPECT_FALSE(editor.form().menu.has_value()) << "its entries are about a task that is gone";
    editor.press(SDL_SCANCODE_ESCAPE);
    EXPECT_EQ(editor.edited().text, before);
    // Changes of what is gone change nothing.
    editor.app.control().edit_scenario(
        [](const sim::JsonTree& tree) { return sim::without_value_at(tree, "/tasks/9"); }, {}, {});
    EXPECT_EQ(editor.edited().text, before);
}

TEST(ScenarioForm, EachEditOfAnInvalidTextIsUndoneAlone) {
    Editor editor;
    const std::string before = editor.edited().text;
    type_in(editor, "/tasks/1/burst", "four");
    const std::string invalid = editor.edited().text;
    type_in(editor, "/tasks/0/name", "Z");
    EXPECT_FALSE(editor.edited().is_valid());
    editor.app.control().set_policy("fcfs");
    editor.frames(2);
    EXPECT_NE(editor.edited().text.find("\"Z\""), std::string::npos) << "another policy keeps the text";
    editor.press(SDL_SCANCODE_Z, KMOD_LCTRL);
    editor.frames(2);
    EXPECT_EQ(editor.edited().text, invalid);
    EXPECT_FALSE(editor.edited().is_valid());
    type_in(editor, "/tasks/1/burst", "4ms");
    EXPECT_TRUE(editor.edited().is_valid());
    EXPECT_EQ(editor.app.model().a->history().policy().spec(), "fcfs");
}

TEST(ScenarioForm, ALongValueIsNotCut) {
    Editor editor;
    std::string words = "1000";
    for (int i = 0; i < 1'000; ++i) words += " y 1000";
    editor.app.control().set_scenario_text(
        R"({"format": "switchyard-scenario/1", "tasks": [{"name": "A", "program": ")" + words + R"("}]})");
    editor.frames(2);
    ASSERT_TRUE(editor.edited().is_valid()) << editor.edited().problems.front().text();
    const std::string before = editor.edited().text;
    editor.go_to("/tasks/0/program");
    editor.press(SDL_SCANCODE_RETURN);
    editor.frames(3);
    editor.press(SDL_SCANCODE_RETURN);
    editor.frames(3);
    EXPECT_EQ(editor.edited().text, before);
}

TEST(ScenarioForm, RandomEditsAreUndoneToTheSameBytes) {
    Editor editor;
    std::uint64_t state = 7;
    const std::string before = editor.edited().text;
    const int count = rounds(600, 150, 20);
    int valid = 0;
    for (int i = 0; i < count; ++i) {
        const auto pick = [&](std::size_t size) {
            return static_cast<std::size_t>(sim::next_random(state) % size);
        };
        const std::size_t at = pick(editor.form().rows.size());
        const std::string pointer = editor.form().rows[at].pointer;
        editor.go_to(pointer);
        switch (pick(4)) {
            case 0:
                if (editor.row().cell) {
                    const char* const typed[] = {"5ms", "7",   "x",  "",     "0ms",
                                                 "-1",  "1e9", "\"", "fcfs", "ideal"};
                    type_in(editor, pointer, typed[pick(std::size(typed))]);
                }
                break;
            case 1:
                editor.press(SDL_SCANCODE_INSERT);
                for (std::size_t d = pick(8); editor.form().menu && d > 0; --d)
                    editor.press(SDL_SCANCODE_DOWN);
                editor.press(SDL_SCANCODE_RETURN);
                break;
            case 2:
                if (pick(3) == 0) editor.press(SDL_SCANCODE_DELETE);
                break;
            default:
                editor.type(" ");
                for (std::size_t d = pick(5); editor.form().menu && d > 0; --d)
                    editor.press(SDL_SCANCODE_DOWN);
                editor.press(SDL_SCANCODE_RETURN);
                break;
        }
        editor.frames(2);
        if (editor.form().typing) editor.press(SDL_SCANCODE_ESCAPE);
        if (editor.form().menu) editor.press(SDL_SCANCODE_ESCAPE);
        editor.frames(2);
        ASSERT_EQ(editor.app.model().error, "");
        valid += editor.edited().is_valid() ? 1 : 0;
        if (!editor.edited().is_valid() && pick(3) == 0)
            while (!editor.edited().is_valid()) editor.press(SDL_SCANCODE_Z, KMOD_LCTRL);
        if (editor.edited().is_valid()) {
            EXPECT_NO_THROW(sim::parse_scenario("t", editor.edited().text)) << editor.edited().text;
        }
        if (!editor.form().has_keys) editor.app.edit_whole_scenario(), editor.app.edit_whole_scenario();
    }
    EXPECT_GT(valid, count / 10);
    for (int i = 0; i < 3 * count && editor.app.model().message != "There is nothing to undo."; ++i)
        editor.press(SDL_SCANCODE_Z, KMOD_LCTRL);
    editor.frames(2);
    EXPECT_EQ(editor.edited().text, before);
}

}  // namespace ui_scenario_form_test
