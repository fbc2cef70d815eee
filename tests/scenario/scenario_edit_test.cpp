// Tests that an edit changes only the specified values in the text of a scenario.
#include "sim/scenario/scenario_edit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_edit.h"
#include "tests/support/line_difference.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace scenario_edit_test {

// The start of a scenario; tests append the tasks and further members.
const std::string kHead =
    "{\n  \"format\": \"switchyard-scenario/1\", // the format\n"
    "  \"machine\": \"pentium-mmx-200\",\n  \"until\": \"1s\", \"policy\": \"linux-2.0\",\n";
const std::string kTasks = "  \"tasks\": [{\"name\": \"a\", \"program\": [{\"run\": \"1ms\"}]}]";

std::string changed(const std::string& text, const std::vector<std::string>& sets) {
    return text_with_changes({"test.json", text, {}}, sets);
}

// Returns the lines that are in only one of the texts, as "-old" and "+new", sorted.
std::vector<std::string> difference(const std::string& before, const std::string& after) {
    const LineDifference between(before, after);
    const auto& [gone, come] = between;
    std::vector<std::string> lines;
    for (const std::string& line : come) lines.push_back("+" + line);
    for (const std::string& line : gone) lines.push_back("-" + line);
    return lines;
}
using Lines = std::vector<std::string>;

// The values without "provenance", which a change may modify.
nlohmann::json values_of(const JsonTree& tree) {
    nlohmann::json values = tree.root().to_nlohmann_json();
    values.erase("provenance");
    return values;
}

TEST(ChangedText, ReplacesOnlySpecifiedValue) {
    const std::string text = kHead + kTasks + "\n}\n";
    EXPECT_EQ(difference(text, changed(text, {"/until=20ms"})),
              (Lines{"+  \"until\": \"20ms\", \"policy\": \"linux-2.0\",",
                     "-  \"until\": \"1s\", \"policy\": \"linux-2.0\","}));
    EXPECT_EQ(changed(text, {}), text);
    EXPECT_EQ(changed(text, {"/until=\"1s\"", "policy=linux-2.0"}), text) << "is what it was";
    EXPECT_EQ(changed(text, {"/until=2s", "/until=1s"}), text);
}

TEST(ChangedText, NewValueFollowsNeighbouringStyle) {
    const std::string text = kHead + kTasks + "\n}\n";
    // `seed` is added to the line of `until`, after `policy`. `title` gets a line of its own, after the
    // comment of the previous line.
    EXPECT_EQ(difference(text, changed(text, {"/seed=7"})),
              (Lines{"+  \"until\": \"1s\", \"policy\": \"linux-2.0\", \"seed\": 7,",
                     "-  \"until\": \"1s\", \"policy\": \"linux-2.0\","}));
    EXPECT_EQ(difference(text, changed(text, {"/title=A title"})), (Lines{"+  \"title\": \"A title\","}));
    EXPECT_EQ(difference(text, changed(text, {"/expect=[]"})),
              (Lines{"+  \"expect\": []", "+" + kTasks + ",", "-" + kTasks}));
    EXPECT_EQ(difference(text, changed(text, {"/tasks/0/count=3"})),
              (Lines{"+  \"tasks\": [{\"name\": \"a\", \"count\": 3, \"program\": [{\"run\": \"1ms\"}]}]",
                     "-" + kTasks}));
    // In a text without spaces, new members are added without spaces.
    const std::string narrow =
        R"({"format":"switchyard-scenario/1","machine":"pentium-mmx-200","tasks":[{"program":["yield"],"name":"a"}]})";
    EXPECT_EQ(changed(narrow, {"/tasks/0/count=3", "/cpus=1"}),
              R"({"format":"switchyard-scenario/1","machine":"pentium-mmx-200","cpus":1,"tasks":)"
              R"([{"program":["yield"],"name":"a","count":3}]})");
}

TEST(ChangedText, NamedMachineBecomesObjectWithBase) {
    const std::string text = kHead + kTasks + "\n}\n";
    EXPECT_EQ(difference(text, changed(text, {"/machine/hz=200", "/machine/costs/considered=1us",
                                              "/machine/costs/pipe=2us"})),
              (Lines{"+  \"machine\": {\"base\": \"pentium-mmx-200\", \"hz\": 200, \"costs\": "
                     "{\"considered\": \"1us\", \"pipe\": \"2us\"}},",
                     "-  \"machine\": \"pentium-mmx-200\","}));
}

TEST(ChangedText, KeepsByteOrderMarkAndLineEnds) {
    std::string text = std::string(kByteOrderMark) + kHead + "  \"seed\": 3,\n" + kTasks + "\n}\n";
    for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += 2) text.insert(i, 1, '\r');
    const std::string after = changed(text, {"/max_tasks=9"});
    EXPECT_EQ(difference(text, after), (Lines{"+  \"max_tasks\": 9,\r"}));
    EXPECT_TRUE(after.starts_with(kByteOrderMark));
}

TEST(ChangedText, ChangedNumberGetsChosenEntry) {
    const std::string with =
        "{\n\"tasks\": [\n  {\"name\": \"a\", \"count\": 2, \"program\": [{\"run\": \"1ms\"}]},\n"
        "  {\"name\": \"b\", \"program\": [{\"run\": \"1ms\"}]}],\n"
        "\"format\": \"switchyard-scenario/1\", \"machine\": \"pentium-mmx-200\", \"policy\": "
        "\"linux-2.0\",\n"
        "\"provenance\": {\n    \"/tasks/0/count\": \"cited: a book\",\n"
        "    \"/tasks/0-1/program\": \"assumed: short\",\n"
        "    \"/tasks/1/program/0/run\": \"cited: the same book\"\n}}\n";
    EXPECT_EQ(difference(with, changed(with, {"/tasks/0/count=5"})),
              (Lines{"+    \"/tasks/0/count\": \"chosen: the original value was 2\",",
                     "+  {\"name\": \"a\", \"count\": 5, \"program\": [{\"run\": \"1ms\"}]},",
                     "-    \"/tasks/0/count\": \"cited: a book\",",
                     "-  {\"name\": \"a\", \"count\": 2, \"program\": [{\"run\": \"1ms\"}]},"}));
    // If a changed value shares an entry of "provenance" with other values, it gets an entry of its own. If
    // a value is removed, its entry is removed.
    EXPECT_EQ(difference(with, changed(with, {R"(/tasks/1/program=["yield"])"})),
              (Lines{"+    \"/tasks/1/program\": \"chosen: the original value was an array\"",
                     "+  {\"name\": \"b\", \"program\": [\"yield\"]}],",
                     "-    \"/tasks/1/program/0/run\": \"cited: the same book\"",
                     "-  {\"name\": \"b\", \"program\": [{\"run\": \"1ms\"}]}],"}));
    EXPECT_EQ(changed(with, {"/seed=4"}).find("chosen"), std::string::npos) << "of which nothing is said";
}

// Three tasks with a count each, and the text `numbers` as "provenance".
std::string stated(const std::string& numbers) {
    std::string tasks;
    for (const char* name : {"a", "b", "c"})
        tasks += fmt::format("{}  {{\"name\": \"{}\", \"count\": 2, \"program\": [{{\"run\": \"1ms\"}}]}}",
                             tasks.empty() ? "" : ",\n", name);
    return kHead + "  \"tasks\": [\n" + tasks + "],\n  \"provenance\": {\n    " + numbers + "\n  }\n}\n";
}

// The contents of "provenance" in this text.
std::map<std::string, std::string> numbers_in(const std::string& text) {
    const JsonTree tree{"test.json", text};
    std::map<std::string, std::string> all;
    for (const JsonValue* entry : tree.root().find("provenance")->children())
        all.emplace(entry->key(), entry->text());
    return all;
}
using Stated = std::map<std::string, std::string>;

TEST(ChangedText, ReplacedElementLeavesNumberRange) {
    const std::string text = stated(R"("/tasks/0-2/count": "assumed: two of each")");
    const std::string other = R"({"name": "q", "count": 9, "program": ["yield"]})";
    EXPECT_EQ(
        numbers_in(changed(text, {"/tasks/1=" + other})),
        (Stated{{"/tasks/0/count", "assumed: two of each"}, {"/tasks/2/count", "assumed: two of each"}}));
    EXPECT_EQ(numbers_in(changed(text, {"/tasks/0=" + other})),
              (Stated{{"/tasks/1-2/count", "assumed: two of each"}}));
    EXPECT_EQ(
        numbers_in(changed(text, {"/tasks/0=" + other, R"(/tasks/2={"name": "r", "program": ["yield"]})"})),
        (Stated{{"/tasks/1/count", "assumed: two of each"}}));
    EXPECT_EQ(numbers_in(changed(text, {"/tasks=[" + other + "]"})), Stated{});
    // Each new entry is on its own line, like the original entry.
    EXPECT_EQ(difference(text, changed(text, {"/tasks/1/count=4", "/tasks/1=" + other})),
              (Lines{"+    \"/tasks/0/count\": \"assumed: two of each\",",
                     "+    \"/tasks/2/count\": \"assumed: two of each\"", "+  " + other + ",",
                     "-    \"/tasks/0-2/count\": \"assumed: two of each\"",
                     R"(-  {"name": "b", "count": 2, "program": [{"run": "1ms"}]},)"}));
    // The new program has no working set. `check` and `run` must accept the entries that remain.
    for (const char* name : {"lat-ctx", "php-fpm", "reclamation-ebr"}) {
        const ScenarioText source = find_scenario(name);
        for (const char* set : {R"(/tasks/3={"name":"zz","program":["yield"]})",
                                R"(/tasks/2/program=["yield"])", R"(/tasks/0/program=[{"run":"1ms"}])"}) {
            const std::vector<std::string> sets{set};
            std::optional<Scenario> run;
            try {
                run = parse_scenario(source.file, source.text, sets, source.folder);
            } catch (const ScenarioError&) {
                continue;
            }
            EXPECT_NO_THROW(text_with_changes(source, sets)) << name << " " << set;
        }
    }
}

TEST(ChangedText, FinalValueIsComparedWithOriginal) {
    const std::string text = stated(R"("/tasks/0/count": "cited: a book")");
    EXPECT_EQ(changed(text, {"/tasks/0/count=40", "/tasks/0/count=2"}), text);
    EXPECT_EQ(numbers_in(changed(text, {"/tasks/0/count=40", "tasks/0/count=50"})),
              (Stated{{"/tasks/0/count", "chosen: the original value was 2"}}));
    EXPECT_EQ(
        changed(text, {"/tasks/0/count=40", R"(/tasks/0={"name":"a","count":2,"program":[{"run":"1ms"}]})"}),
        text);
    const std::string machine = stated(R"("/machine": "cited: a book")");
    EXPECT_EQ(changed(machine, {"/machine/base=pentium-mmx-200"}), machine);
    EXPECT_EQ(numbers_in(changed(machine, {"/machine/base=xeon-2013"})).at("/machine/base"),
              "chosen: the original value was pentium-mmx-200");
    // 2.0 counts as a different value from 2, although the numbers are equal.
    std::string point = text;
    point.replace(point.find("\"count\": 2"), 10, "\"count\": 2.0");
    EXPECT_THROW(changed(point, {}), ScenarioError);
    EXPECT_EQ(values_of(JsonTree("new", changed(point, {"/tasks/0/count=2"}))),
              values_of(JsonTree("old", text)));

    const ScenarioText source{"test.json", text, {}};
    const std::vector<std::string> sets{"/until=2s", "/tasks/0/count=2", "/seed=3", "/until=\"1s\"",
                                        "/cpus=1"};
    EXPECT_EQ(sets_that_change_values(source, sets), (std::vector<std::string>{"/seed=3", "/cpus=1"}));
}

TEST(ChangedText, ExplicitNumberEntryIsKept) {
    const std::string text =
        stated("\"/tasks/0/count\": \"cited: a book\",\n    \"/tasks/1/count\": \"cited: it\"");
    const std::string mine = "/provenance/~1tasks~10~1count=assumed: mine";
    for (const std::vector<std::string>& sets :
         {std::vector<std::string>{mine, "/tasks/0/count=5"}, {"/tasks/0/count=5", mine}})
        EXPECT_EQ(numbers_in(changed(text, sets)),
                  (Stated{{"/tasks/0/count", "assumed: mine"}, {"/tasks/1/count", "cited: it"}}));
}

TEST(ChangedText, NumberEntriesStayWithinThousand) {
    // The file has one entry for all tasks, and 999 entries for their program steps.
    std::string tasks, numbers = "\"/tasks/0-2/count\": \"assumed: two\"";
    for (int task = 0; task < 3; ++task) {
        std::string steps;
        for (int i = 0; i < 333; ++i) {
            steps += std::string(i == 0 ? "" : ", ") + R"({"run": "1ms"})";
            numbers += fmt::format(",\n\"/tasks/{}/program/{}/run\": \"cited: a book\"", task, i);
        }
        tasks += fmt::format("{}{{\"name\": \"t{}\", \"count\": 2, \"program\": [{}]}}",
                             task == 0 ? "" : ",\n", task, steps);
    }
    const std::string text = kHead + "\"tasks\": [" + tasks + "],\n\"provenance\": {\n" + numbers + "}}";
    EXPECT_EQ(numbers_in(changed(text, {"/tasks/1/count=3"})).size(), 1000u);
    const Stated left = numbers_in(changed(text, {"/tasks/1/count=3", R"(/tasks/0/program=["yield"])"}));
    EXPECT_EQ(left.size(), 668u) << "333 have gone, and there is room for one";
    EXPECT_EQ(left.at("/tasks/1/count"), "chosen: the original value was 2");
}

TEST(ChangedText, InvalidAssignmentIsRefused) {
    const std::string text = kHead + kTasks + "\n}\n";
    for (const char* set :
         {"/tasks/3/count=1", "/tasks/0/cuont=1", "/tasks/0/count=-1", "until", "/=1", "=1"})
        EXPECT_THROW(changed(text, {set}), ScenarioError) << set;
    EXPECT_THROW(changed("{", {}), ScenarioError);
}

// Adds a member to every object of all files and removes it again; this restores the text.
TEST(JsonEdit, RemovingAddedMemberRestoresText) {
    std::size_t objects = 0;
    for (const BuiltinFile& file : builtin_files()) {
        if (!file.name.ends_with(".json")) continue;  // skip scripts
        const JsonTree tree{std::string(file.name), std::string(file.text)};
        std::vector<const JsonValue*> todo{&tree.root()};
        while (!todo.empty()) {
            const JsonValue& value = *todo.back();
            todo.pop_back();
            todo.insert(todo.end(), value.children().begin(), value.children().end());
            if (!value.is_object()) continue;
            if (objects++ % rounds(1u, 1u, 4u) != 0) continue;
            const nlohmann::json::json_pointer pointer(value.pointer());
            const JsonTree with{"with", with_member(tree, value, "a \"new\" one", "[1, {}]")};
            nlohmann::json expected = tree.root().to_nlohmann_json();
            expected[pointer]["a \"new\" one"] = nlohmann::json::parse("[1, {}]");
            ASSERT_EQ(with.root().to_nlohmann_json(), expected) << file.name << value.pointer();
            const Lines lines = difference(tree.text(), with.text());
            EXPECT_LE(lines.size(), 3u) << file.name << value.pointer() << testing::PrintToString(lines);
            const JsonValue* object = &with.root();
            const std::optional<std::vector<std::string>> pieces = json_pointer_segments(value.pointer());
            for (const std::string& piece : pieces.value()) object = object->at(piece);
            const MemberChange out[] = {{object->find("a \"new\" one"), {}}};
            EXPECT_EQ(with_changed_members(with, *object, out), tree.text()) << file.name << value.pointer();
        }
    }
    EXPECT_GT(objects, 500u);
}

// Changes each number and time of all shipped scenarios; the values must equal those of --set.
TEST(ChangedText, ValuesMatchSetForShippedScenarios) {
    std::size_t changes = 0;
    for (const std::string& name : builtin_file_names("")) {
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
                text = text_with_changes(source, std::vector{set});
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

// Removes the members with these keys from an object.
std::string without(const std::string& text, const std::vector<std::string>& keys) {
    const JsonTree tree{"test.json", text};
    std::vector<MemberChange> exchanges;
    for (const std::string& key : keys) exchanges.push_back({tree.root().find(key), {}});
    return with_changed_members(tree, tree.root(), exchanges);
}

TEST(JsonEdit, RemovalKeepsOtherComments) {
    const std::string lines =
        "{\n  // on a\n  \"a\": 1, // of a\n  // on b\n  \"b\": 2, // of b\n  \"c\": 3 // of c\n}";
    EXPECT_EQ(without(lines, {"a"}), "{\n  // on a\n  // on b\n  \"b\": 2, // of b\n  \"c\": 3 // of c\n}");
    EXPECT_EQ(without(lines, {"c"}), "{\n  // on a\n  \"a\": 1, // of a\n  // on b\n  \"b\": 2 // of b\n}");
    EXPECT_EQ(without(lines, {"c", "b"}), "{\n  // on a\n  \"a\": 1 // of a\n  // on b\n}");
    EXPECT_EQ(without(lines, {"a", "b", "c"}), "{\n  // on a\n  // on b\n}");
    const std::string shared = R"({"a": 1 /* of a */, /* on b */ "b": 2 /* of b */, "c": 3 /* of c */})";
    EXPECT_EQ(without(shared, {"c"}), R"({"a": 1 /* of a */, /* on b */ "b": 2 /* of b */ /* of c */})");
    EXPECT_EQ(without(shared, {"b"}), R"({"a": 1 /* of a */, /* on b */ /* of b */ "c": 3 /* of c */})");
    EXPECT_EQ(without(shared, {"a", "c"}), R"({/* of a */ /* on b */ "b": 2 /* of b */ /* of c */})");
    EXPECT_EQ(without(R"({"a": 1, "b": 2, "c": 3})", {"b", "c"}), R"({"a": 1})");
    EXPECT_EQ(without(R"({ "a": 1, "b": 2 })", {"a", "b"}), R"({  })");
    EXPECT_EQ(without(R"({"a": 1 /**/, "b": 2 /*c*/, "c": 3})", {"b"}), R"({"a": 1 /**/, /*c*/ "c": 3})");
    EXPECT_EQ(without(R"({"a": 1 /**/, "b": 2, "c": 3})", {"a"}), R"({/**/ "b": 2, "c": 3})");
    EXPECT_EQ(without("{\"a\": 1 // of a\n , \"b\": 2}", {"a"}), "{// of a\n  \"b\": 2}");
    EXPECT_EQ(without("{\"a\": 1, // of a\n \"b\": 2}", {"b"}), "{\"a\": 1 // of a\n}");
}

TEST(JsonEdit, HandlesCarriageReturnLineEnds) {
    const std::string text = "{\r\n  \"a\": 1, // of a\r\n  \"b\": 2 // of b\r\n}";
    EXPECT_EQ(without(text, {"a"}), "{\r\n  \"b\": 2 // of b\r\n}");
    EXPECT_EQ(without(text, {"b"}), "{\r\n  \"a\": 1 // of a\r\n}");
    const JsonTree tree{"test.json", text};
    EXPECT_EQ(with_member(tree, tree.root(), "c", "3"),
              "{\r\n  \"a\": 1, // of a\r\n  \"b\": 2, // of b\r\n  \"c\": 3\r\n}");
    const JsonTree one{"test.json", "{\n  \"a\": 1\n}"};
    EXPECT_EQ(with_member(one, one.root(), "c", "3"), "{\n  \"a\": 1,\n  \"c\": 3\n}");
    const JsonTree mixed{"test.json", "{\"a\": 1 // of a\r\n, \"b\": 2\n}"};
    EXPECT_EQ(JsonTree("new", with_member(mixed, mixed.root(), "c", "3")).root().size(), 3u);
}

TEST(MachineCheck, RefusesDirectoryWithDifferentMachine) {
    namespace fs = std::filesystem;
    const fs::path root = fs::path(testing::TempDir()) / ("switchyard-edit-" + std::to_string(::getpid()));
    fs::create_directories(root / "here/machines");
    fs::create_directories(root / "there");
    std::ofstream(root / "here/machines/own.json")
        << R"({"format": "switchyard-machine/1", "base": "pentium-mmx-200", "hz": 250})";
    const std::string text =
        R"({"format": "switchyard-scenario/1", "machine": "own", "tasks": [{"name": "a", "program": ["yield"]}]})";
    const ScenarioText source{(root / "here/a.json").string(), text, (root / "here").string()};
    const std::string faster = text_with_changes(source, std::vector<std::string>{"/machine/hz=500"});
    EXPECT_NE(faster.find(R"({"base": "own", "hz": 500})"), std::string::npos) << faster;
    EXPECT_NO_THROW(check_machine_unchanged(source, faster, (root / "here/b.json").string()));
    const std::string there = (root / "there/b.json").string();
    EXPECT_THROW(check_machine_unchanged(source, faster, there), ScenarioError) << "is not there";
    // The solution that the message suggests.
    fs::create_directories(root / "there/machines");
    fs::copy_file(root / "here/machines/own.json", root / "there/machines/own.json");
    EXPECT_NO_THROW(check_machine_unchanged(source, faster, there));
    const ScenarioText builtin = find_scenario("two-hogs");
    EXPECT_NO_THROW(check_machine_unchanged(builtin, builtin.text, there));
    std::ofstream(root / "there/machines/pentium-mmx-200.json") << "{}";
    EXPECT_THROW(check_machine_unchanged(builtin, builtin.text, there), ScenarioError);
    // The base of the machine is checked, too: an equal copy is accepted, a different one is not.
    const ScenarioText far = {
        "two-hogs.json",
        text_with_changes(builtin, std::vector<std::string>{"/machine=kvm-8-core-production"}), ""};
    std::ofstream(root / "there/machines/kvm-8-core-2019.json")
        << find_builtin_file("machines/kvm-8-core-2019.json")->text;
    EXPECT_NO_THROW(check_machine_unchanged(far, far.text, there));
    std::ofstream(root / "there/machines/kvm-8-core-2019.json")
        << R"({"format": "switchyard-machine/1", "base": "pentium-mmx-200"})";
    EXPECT_THROW(check_machine_unchanged(far, far.text, there), ScenarioError);
    fs::remove_all(root);
}

}  // namespace scenario_edit_test
}  // namespace sim
