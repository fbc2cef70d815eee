// A scenario's text with some of its values changed: these, and nothing else.
#include "sim/scenario/scenario_edit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_edit.h"

namespace sim {
namespace scenario_edit_test {

// A scenario's beginning, so that what follows is its tasks or what stands behind them.
const std::string kHead =
    "{\n  \"format\": \"switchyard-scenario/1\", // the format\n"
    "  \"machine\": \"pentium-mmx-200\",\n  \"until\": \"1s\", \"policy\": \"linux-2.0\",\n";
const std::string kTasks = "  \"tasks\": [{\"name\": \"a\", \"program\": [{\"run\": \"1ms\"}]}]";

std::string changed(const std::string& text, const std::vector<std::string>& sets) {
    return changed_text({"test.json", text, {}}, sets);
}

// The lines that are in one text and not in the other: "-old", "+new", ordered.
std::vector<std::string> difference(const std::string& before, const std::string& after) {
    const auto sorted_lines = [](const std::string& text) {
        std::vector<std::string> lines;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        std::sort(lines.begin(), lines.end());
        return lines;
    };
    const std::vector<std::string> a = sorted_lines(before), b = sorted_lines(after);
    std::vector<std::string> gone, come, lines;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(gone));
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(come));
    for (const std::string& line : come) lines.push_back("+" + line);
    for (const std::string& line : gone) lines.push_back("-" + line);
    return lines;
}
using Lines = std::vector<std::string>;

// The same without "numbers", of which a change may change what they say.
nlohmann::json values_of(const JsonTree& tree) {
    nlohmann::json values = tree.root().plain();
    values.erase("numbers");
    return values;
}

TEST(ChangedText, ReplacesAValueAndLeavesTheRestAsItIs) {
    const std::string text = kHead + kTasks + "\n}\n";
    EXPECT_EQ(difference(text, changed(text, {"/until=20ms"})),
              (Lines{"+  \"until\": \"20ms\", \"policy\": \"linux-2.0\",",
                     "-  \"until\": \"1s\", \"policy\": \"linux-2.0\","}));
    EXPECT_EQ(changed(text, {}), text);
    EXPECT_EQ(changed(text, {"/until=\"1s\"", "policy=linux-2.0"}), text) << "is what it was";
    EXPECT_EQ(changed(text, {"/until=2s", "/until=1s"}), text);
}

TEST(ChangedText, AddsAValueWhereItBelongsAndInTheStyleOfItsNeighbours) {
    const std::string text = kHead + kTasks + "\n}\n";
    // On a line with others, behind "policy"; and behind the comment of the line before.
    EXPECT_EQ(difference(text, changed(text, {"/seed=7"})),
              (Lines{"+  \"until\": \"1s\", \"policy\": \"linux-2.0\", \"seed\": 7,",
                     "-  \"until\": \"1s\", \"policy\": \"linux-2.0\","}));
    EXPECT_EQ(difference(text, changed(text, {"/title=A title"})), (Lines{"+  \"title\": \"A title\","}));
    EXPECT_EQ(difference(text, changed(text, {"/expect=[]"})),
              (Lines{"+  \"expect\": []", "+" + kTasks + ",", "-" + kTasks}));
    EXPECT_EQ(difference(text, changed(text, {"/tasks/0/count=3"})),
              (Lines{"+  \"tasks\": [{\"name\": \"a\", \"count\": 3, \"program\": [{\"run\": \"1ms\"}]}]",
                     "-" + kTasks}));
    // The first of all, in a text without a blank.
    const std::string narrow =
        R"({"format":"switchyard-scenario/1","machine":"pentium-mmx-200","tasks":[{"program":["yield"],"name":"a"}]})";
    EXPECT_EQ(changed(narrow, {"/tasks/0/count=3", "/cpus=1"}),
              R"({"format":"switchyard-scenario/1","machine":"pentium-mmx-200","cpus":1,"tasks":)"
              R"([{"program":["yield"],"name":"a","count":3}]})");
}

TEST(ChangedText, OpensAMachineThatHasOnlyAName) {
    const std::string text = kHead + kTasks + "\n}\n";
    EXPECT_EQ(difference(text, changed(text, {"/machine/hz=200", "/machine/costs/considered=1us",
                                              "/machine/costs/pipe=2us"})),
              (Lines{"+  \"machine\": {\"base\": \"pentium-mmx-200\", \"hz\": 200, \"costs\": "
                     "{\"considered\": \"1us\", \"pipe\": \"2us\"}},",
                     "-  \"machine\": \"pentium-mmx-200\","}));
}

TEST(ChangedText, KeepsMarksAndEndsOfLines) {
    std::string text = std::string(kByteOrderMark) + kHead + "  \"seed\": 3,\n" + kTasks + "\n}\n";
    for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += 2) text.insert(i, 1, '\r');
    const std::string after = changed(text, {"/max_tasks=9"});
    EXPECT_EQ(difference(text, after), (Lines{"+  \"max_tasks\": 9,\r"}));
    EXPECT_TRUE(after.starts_with(kByteOrderMark));
}

TEST(ChangedText, SaysOfAChangedNumberThatItIsChosen) {
    const std::string with =
        "{\n\"tasks\": [\n  {\"name\": \"a\", \"count\": 2, \"program\": [{\"run\": \"1ms\"}]},\n"
        "  {\"name\": \"b\", \"program\": [{\"run\": \"1ms\"}]}],\n"
        "\"format\": \"switchyard-scenario/1\", \"machine\": \"pentium-mmx-200\", \"policy\": "
        "\"linux-2.0\",\n"
        "\"numbers\": {\n    \"/tasks/0/count\": \"cited: a book\",\n"
        "    \"/tasks/0-1/program\": \"assumed: short\",\n"
        "    \"/tasks/1/program/0/run\": \"cited: the same book\"\n}}\n";
    EXPECT_EQ(difference(with, changed(with, {"/tasks/0/count=5"})),
              (Lines{"+    \"/tasks/0/count\": \"chosen: it was 2\",",
                     "+  {\"name\": \"a\", \"count\": 5, \"program\": [{\"run\": \"1ms\"}]},",
                     "-    \"/tasks/0/count\": \"cited: a book\",",
                     "-  {\"name\": \"a\", \"count\": 2, \"program\": [{\"run\": \"1ms\"}]},"}));
    // What an entry speaks of with others gets one of its own; entries for what is gone go.
    EXPECT_EQ(difference(with, changed(with, {R"(/tasks/1/program=["yield"])"})),
              (Lines{"+    \"/tasks/1/program\": \"chosen: it was something else\"",
                     "+  {\"name\": \"b\", \"program\": [\"yield\"]}],",
                     "-    \"/tasks/1/program/0/run\": \"cited: the same book\"",
                     "-  {\"name\": \"b\", \"program\": [{\"run\": \"1ms\"}]}],"}));
    EXPECT_EQ(changed(with, {"/seed=4"}).find("chosen"), std::string::npos) << "of which nothing is said";
}

TEST(ChangedText, RefusesWhatSetRefuses) {
    const std::string text = kHead + kTasks + "\n}\n";
    for (const char* set :
         {"/tasks/3/count=1", "/tasks/0/cuont=1", "/tasks/0/count=-1", "until", "/=1", "=1"})
        EXPECT_THROW(changed(text, {set}), ScenarioError) << set;
    EXPECT_THROW(changed("{", {}), ScenarioError);
}

// Every object of every file: another member, taken out again, leaves the text as it was.
TEST(JsonEdit, AddsToEveryObjectOfTheShippedFilesAndTakesOutAgain) {
    std::size_t objects = 0;
    for (const BuiltinFile& file : builtin_files()) {
        const JsonTree tree{std::string(file.name), std::string(file.text)};
        std::vector<const JsonValue*> todo{&tree.root()};
        while (!todo.empty()) {
            const JsonValue& value = *todo.back();
            todo.pop_back();
            todo.insert(todo.end(), value.children().begin(), value.children().end());
            if (!value.is_object()) continue;
            ++objects;
            const nlohmann::json::json_pointer pointer(value.pointer());
            const JsonTree with{"with", with_member(tree, value, "a \"new\" one", "[1, {}]")};
            nlohmann::json expected = tree.root().plain();
            expected[pointer]["a \"new\" one"] = nlohmann::json::parse("[1, {}]");
            ASSERT_EQ(with.root().plain(), expected) << file.name << value.pointer();
            const Lines lines = difference(tree.text(), with.text());
            EXPECT_LE(lines.size(), 3u) << file.name << value.pointer() << testing::PrintToString(lines);
            const JsonValue* object = &with.root();
            const std::optional<std::vector<std::string>> pieces = pointer_pieces(value.pointer());
            for (const std::string& piece : pieces.value()) object = object->at(piece);
            EXPECT_EQ(without_member(with, *object, *object->find("a \"new\" one")), tree.text())
                << file.name << value.pointer();
        }
    }
    EXPECT_GT(objects, 500u);
}

// Each number and each time of every shipped scenario, written otherwise: the values are those of --set.
TEST(ChangedText, HasTheValuesOfSetForEveryNumberOfTheShippedScenarios) {
    std::size_t changes = 0;
    for (const std::string& name : builtin_names("")) {
        const ScenarioText source = find_scenario(name);
        const JsonTree tree{source.file, source.text};
        std::vector<const JsonValue*> todo{tree.root().find("tasks"), tree.root().find("until")};
        while (!todo.empty()) {
            const JsonValue& value = *todo.back();
            todo.pop_back();
            todo.insert(todo.end(), value.children().begin(), value.children().end());
            const bool is_time = value.is_string() && value.text().ends_with("ms");
            if (!is_time && !value.is_number()) continue;
            const std::string set = value.pointer() + (is_time ? "=77ms" : "=3");
            JsonTree expected{source.file, source.text};
            expected.set(set);
            std::string text;
            try {
                text = changed_text(source, std::vector{set});
            } catch (const ScenarioError&) {
                EXPECT_THROW(parse_scenario(source.file, source.text, std::vector{set}, source.folder),
                             ScenarioError)
                    << name << set;
                continue;
            }
            EXPECT_EQ(values_of(JsonTree("new", text)), values_of(expected)) << name << set;
            EXPECT_LE(difference(source.text, text).size(), 5u) << name << set;
            ++changes;
        }
    }
    EXPECT_GT(changes, 200u);
}

TEST(CheckMachine, RefusesAPlaceWhereTheMachineWouldBeAnotherOne) {
    namespace fs = std::filesystem;
    const fs::path root = fs::path(testing::TempDir()) / ("switchyard-edit-" + std::to_string(::getpid()));
    fs::create_directories(root / "here/machines");
    fs::create_directories(root / "there");
    std::ofstream(root / "here/machines/own.json")
        << R"({"format": "switchyard-machine/1", "base": "pentium-mmx-200", "hz": 250})";
    const std::string text =
        R"({"format": "switchyard-scenario/1", "machine": "own", "tasks": [{"name": "a", "program": ["yield"]}]})";
    const ScenarioText source{(root / "here/a.json").string(), text, (root / "here").string()};
    const std::string faster = changed_text(source, std::vector<std::string>{"/machine/hz=500"});
    EXPECT_NE(faster.find(R"({"base": "own", "hz": 500})"), std::string::npos) << faster;
    EXPECT_NO_THROW(check_machine_of(source, faster, (root / "here/b.json").string()));
    EXPECT_THROW(check_machine_of(source, faster, (root / "there/b.json").string()), ScenarioError);
    const ScenarioText builtin = find_scenario("two-hogs");
    EXPECT_NO_THROW(check_machine_of(builtin, builtin.text, (root / "there/b.json").string()));
    std::ofstream(root / "here/machines/pentium-mmx-200.json") << "{}";
    EXPECT_THROW(check_machine_of(builtin, builtin.text, (root / "here/b.json").string()), ScenarioError);
    fs::remove_all(root);
}

}  // namespace scenario_edit_test
}  // namespace sim
