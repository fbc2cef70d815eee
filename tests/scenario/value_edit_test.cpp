// Edits of a scenario's text at a pointer, and the schema that editors use.
#include "sim/scenario/value_edit.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/provenance_edit.h"
#include "sim/scenario/scenario_json.h"
#include "sim/scenario/scenario_schema.h"

namespace sim {
namespace value_edit_test {

using Kind = SchemaNode::Kind;

const SchemaNode& node_at(std::initializer_list<const char*> keys) {
    const SchemaNode* node = &scenario_schema();
    for (const std::string_view key : keys) node = key == "*" ? node->item : node->field(key)->node;
    return *node;
}

TEST(EditorSchema, KnowsTheFieldsOfAScenario) {
    const SchemaNode& scenario = scenario_schema();
    EXPECT_EQ(scenario.kind, Kind::object);
    EXPECT_EQ(scenario.fields.front().key, "format");
    EXPECT_TRUE(scenario.field("tasks")->is_required);
    EXPECT_FALSE(scenario.field("cpus")->is_required);
    EXPECT_EQ(scenario.field("cpus")->description, "Number of CPUs. Default: 1.");
    EXPECT_EQ(scenario.field("numbers"), nullptr) << "old names are not offered";
    EXPECT_EQ(scenario.field("devices")->node->kind, Kind::map);
    EXPECT_EQ(node_at({"tasks", "*"}).field("burst")->node->type, "duration");
    EXPECT_EQ(node_at({"tasks", "*", "class"}).variants.size(), 5u);
}

TEST(EditorSchema, StepsAreVariantsThatContainSteps) {
    const SchemaNode& program = node_at({"tasks", "*", "program"});
    ASSERT_EQ(program.kind, Kind::variants);
    EXPECT_EQ(program.variants[0].label, "list");
    const SchemaNode& step = *program.variants[0].node->item;
    std::set<std::string> labels;
    for (const SchemaVariant& variant : step.variants) labels.insert(variant.label);
    EXPECT_EQ(labels,
              (std::set<std::string>{"yield",  "exit",      "park",       "munmap",  "run",       "sleep",
                                     "timer",  "arrival",   "arrival_at", "syscall", "in_kernel", "wait",
                                     "wake",   "signal",    "broadcast",  "fork",    "exec",      "lock",
                                     "unlock", "pipe_read", "pipe_write", "io",      "unpark",    "loop"}));
    const JsonTree tree("t", R"([{"loop": "forever", "steps": ["yield", {"run": "1ms"}]}])");
    const SchemaVariant& loop = *step.variant_of(tree.root()[0]);
    EXPECT_EQ(loop.verb, "loop");
    EXPECT_EQ(loop.node->field("steps")->node->item, &step);
    EXPECT_EQ(step.variant_of((*tree.root()[0].find("steps"))[0])->word, "\"yield\"");
}

TEST(EditorSchema, InterventionsAreVariantsNamedByTheirKind) {
    const SchemaNode& one = node_at({"interventions", "*"});
    ASSERT_EQ(one.kind, Kind::variants);
    std::string values;
    for (const SchemaVariant& variant : one.variants) {
        EXPECT_EQ(variant.label, variant.verb);
        EXPECT_NE(variant.description, "");
        values += new_value_json(variant) + "\n";
        const std::string text =
            R"({"format": "switchyard-scenario/1", "tasks": [{"name": "name", "burst": "9ms"}],
                                     "interventions": [)" +
            new_value_json(variant) + "]}";
        EXPECT_EQ(parse_scenario("t", text).interventions.size(), 1u) << text;
    }
    EXPECT_EQ(values, R"({"kill": "name", "at": "5ms"}
{"renice": "name", "priority": 10, "at": "5ms"}
{"wake": "name", "at": "5ms"}
{"block": "name", "at": "5ms"}
)");
    EXPECT_NE(one.variants[3].node->field("for"), nullptr);
}

// A scenario with one task whose program is this step.
std::string scenario_with(const std::string& step) {
    return R"({"format": "switchyard-scenario/1", "until": "1s", "devices": {"name": {"service_time": "1ms"}},)"
           R"( "tasks": [{"name": "name", "program": [)" +
           step + "]}]}";
}

TEST(EditorSchema, NewValuesAreValid) {
    const SchemaNode& step = *node_at({"tasks", "*", "program"}).variants[0].node->item;
    for (const SchemaVariant& variant : step.variants) {
        if (variant.label == "lock" || variant.label == "unlock") continue;  // they need each other
        EXPECT_NO_THROW(parse_scenario("t", scenario_with(new_value_json(variant))))
            << new_value_json(variant);
    }
    EXPECT_EQ(new_value_json(node_at({"tasks", "*"})), R"({"name": "A", "burst": "1ms"})");
    for (const SchemaField& field : scenario_schema().fields) {
        const std::string value = field.key == "format"    ? R"("switchyard-scenario/1")"
                                  : field.key == "tasks"   ? R"([{"name": "A", "burst": "1ms"}])"
                                  : field.key == "policy"  ? R"("fcfs")"
                                  : field.key == "machine" ? R"("ideal")"
                                                           : new_value_json(*field.node);
        const std::string others =
            field.key == "format" || field.key == "tasks" ? "" : ", \"" + field.key + "\": " + value;
        const std::string text =
            R"({"format": "switchyard-scenario/1", "tasks": [{"name": "A", "burst": "1ms"}])" + others + "}";
        EXPECT_NO_THROW(parse_scenario("t", text)) << text;
    }
}

std::string changed(const std::string& text, const std::function<std::string(const JsonTree&)>& change) {
    const JsonTree tree("t", text);
    return change(tree);
}

TEST(ValueEdit, SetsRemovesInsertsAndRenames) {
    const std::string text = R"({"a": 1, "list": [1, 2], "map": {"x": true}})";
    EXPECT_EQ(changed(text, [](const JsonTree& t) { return with_value_at(t, "/a", "7"); }),
              R"({"a": 7, "list": [1, 2], "map": {"x": true}})");
    EXPECT_EQ(changed(text, [](const JsonTree& t) { return with_value_at(t, "/map/y", "7"); }),
              R"({"a": 1, "list": [1, 2], "map": {"x": true, "y": 7}})");
    EXPECT_EQ(changed(text, [](const JsonTree& t) { return without_value_at(t, "/list/0"); }),
              R"({"a": 1, "list": [2], "map": {"x": true}})");
    EXPECT_EQ(changed(text, [](const JsonTree& t) { return without_value_at(t, "/a"); }),
              R"({"list": [1, 2], "map": {"x": true}})");
    EXPECT_EQ(changed(text, [](const JsonTree& t) { return with_inserted_element(t, "/list", 0, "0"); }),
              R"({"a": 1, "list": [0, 1, 2], "map": {"x": true}})");
    EXPECT_EQ(changed(text, [](const JsonTree& t) { return with_inserted_element(t, "/list", 2, "3"); }),
              R"({"a": 1, "list": [1, 2, 3], "map": {"x": true}})");
    EXPECT_EQ(
        changed(text, [](const JsonTree& t) { return with_adjacent_elements_exchanged(t, "/list", 0); }),
        R"({"a": 1, "list": [2, 1], "map": {"x": true}})");
    EXPECT_EQ(changed(text, [](const JsonTree& t) { return with_renamed_key(t, "/map/x", "y"); }),
              R"({"a": 1, "list": [1, 2], "map": {"y": true}})");
    EXPECT_EQ(changed("{\n    \"l\": [\n        1, // one\n        2\n    ]\n}",
                      [](const JsonTree& t) { return with_inserted_element(t, "/l", 1, "9"); }),
              "{\n    \"l\": [\n        1, // one\n        9,\n        2\n    ]\n}");
}

TEST(ValueEdit, LongLinesAreBroken) {
    std::string step = R"({"run": "1ms"})";
    std::string text = R"({"tasks": [)"
                       "\n        "
                       R"({"name": "A", "program": [)";
    for (int i = 0; i < 4; ++i) text += step + ", ";
    text += step + "]}\n    ]\n}";
    const std::string now = changed(
        text, [&](const JsonTree& t) { return with_inserted_element(t, "/tasks/0/program", 5, step); });
    EXPECT_NE(now.find("        {\n            \"name\": \"A\",\n            \"program\": ["),
              std::string::npos)
        << now;
    for (std::size_t begin = 0; begin < now.size();) {
        const std::size_t end = std::min(now.find('\n', begin), now.size());
        EXPECT_LE(end - begin, 120u) << now;
        begin = end + 1;
    }
    EXPECT_EQ(nlohmann::json::parse(now).at("tasks")[0].at("program").size(), 6u);
}

TEST(ValueEdit, ProvenanceMovesWithTheValues) {
    EXPECT_EQ(moved_pointer("/tasks/3/count", "/tasks", 2, ListChange::removed), "/tasks/2/count");
    EXPECT_EQ(moved_pointer("/tasks/2/count", "/tasks", 2, ListChange::removed), std::nullopt);
    EXPECT_EQ(moved_pointer("/tasks/1-4/count", "/tasks", 2, ListChange::removed), "/tasks/1-3/count");
    EXPECT_EQ(moved_pointer("/tasks/1-2", "/tasks", 2, ListChange::removed), "/tasks/1");
    EXPECT_EQ(moved_pointer("/tasks/3", "/tasks", 2, ListChange::inserted), "/tasks/4");
    EXPECT_EQ(moved_pointer("/tasks/1-4", "/tasks", 2, ListChange::inserted), "/tasks/1-5");
    EXPECT_EQ(moved_pointer("/tasks/2/program/0", "/tasks", 2, ListChange::exchanged), "/tasks/3/program/0");
    EXPECT_EQ(moved_pointer("/tasks/2/program/1", "/tasks/2/program", 0, ListChange::exchanged),
              "/tasks/2/program/0");
    EXPECT_EQ(moved_pointer("/machine/hz", "/tasks", 0, ListChange::removed), "/machine/hz");
    const std::string text =
        R"({"tasks": [{"a": 1}, {"a": 2}], "provenance": {"/tasks/0/a": "chosen: x", "/tasks/1/a": "chosen: y"}})";
    EXPECT_EQ(
        changed(text, [](const JsonTree& t) { return with_adjacent_elements_exchanged(t, "/tasks", 0); }),
        R"({"tasks": [{"a": 2}, {"a": 1}], "provenance": {"/tasks/1/a": "chosen: x", "/tasks/0/a": "chosen: y"}})");
    EXPECT_EQ(changed(text, [](const JsonTree& t) { return without_value_at(t, "/tasks/0/a"); }),
              R"({"tasks": [{}, {"a": 2}], "provenance": {"/tasks/1/a": "chosen: y"}})");
}

TEST(ValueEdit, ProvenanceOfReplacedAndRenamedValues) {
    const std::string text =
        R"({"devices": {"d": {"s": 1}}, "a": 1, "provenance": {"/devices/d/s": "chosen: x", "/a": "measured: y"}})";
    EXPECT_EQ(changed(text, [](const JsonTree& t) { return with_value_at(t, "/a", "2"); }),
              R"({"devices": {"d": {"s": 1}}, "a": 2, "provenance": {"/devices/d/s": "chosen: x"}})");
    EXPECT_EQ(
        changed(text, [](const JsonTree& t) { return with_renamed_key(t, "/devices/d", "disk"); }),
        R"({"devices": {"disk": {"s": 1}}, "a": 1, "provenance": {"/devices/disk/s": "chosen: x", "/a": "measured: y"}})");
    EXPECT_EQ(changed(text, [](const JsonTree& t) { return with_replaced_key_and_value(t, "/a", "b", "3"); }),
              R"({"devices": {"d": {"s": 1}}, "b": 3, "provenance": {"/devices/d/s": "chosen: x"}})");
}

// The step as another variant.
std::string as(const std::string& step, const std::string& label) {
    const JsonTree tree("t", step);
    const SchemaNode& node = *node_at({"tasks", "*", "program"}).variants[0].node->item;
    for (const SchemaVariant& variant : node.variants)
        if (variant.label == label) return convert_to_variant(tree, tree.root(), node, variant);
    return "no variant " + label;
}

TEST(ValueEdit, AnotherVariantKeepsWhatFits) {
    EXPECT_EQ(as(R"({"run": "8ms"})", "sleep"), R"({"sleep": "8ms"})");
    EXPECT_EQ(as(R"({"lock": "L"})", "unlock"), R"({"unlock": "L"})");
    EXPECT_EQ(as(R"({"run": "8ms"})", "yield"), R"("yield")");
    EXPECT_EQ(as(R"({"run": "8ms"})", "lock"), R"({"lock": "name"})");
    EXPECT_EQ(as(R"("yield")", "run"), R"({"run": "1ms"})");
    EXPECT_EQ(as(R"({"run": "8ms"})", "timer"), R"({"timer": "8ms"})");
    const SchemaNode& machine = node_at({"machine"});
    const JsonTree name("t", R"("i486-33")");
    EXPECT_EQ(convert_to_variant(name, name.root(), machine, machine.variants[1]), R"({"base": "i486-33"})");
    const JsonTree details("t", R"({"base": "i486-33", "hz": 1000})");
    EXPECT_EQ(convert_to_variant(details, details.root(), machine, machine.variants[0]), R"("i486-33")");
    const SchemaNode& duration = node_at({"tasks", "*", "burst"});
    const JsonTree time("t", R"("5ms")");
    EXPECT_EQ(convert_to_variant(time, time.root(), duration, duration.variants[1]),
              R"({"exponential": "5ms"})");
}

}  // namespace value_edit_test
}  // namespace sim
