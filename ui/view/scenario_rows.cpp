#include "ui/view/scenario_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "sim/base/problem.h"
#include "sim/core/policy_names.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_edit.h"
#include "sim/scenario/value_edit.h"

namespace ui {
namespace {

using sim::JsonValue;
using sim::SchemaField;
using sim::SchemaNode;
using sim::SchemaVariant;
using Kind = sim::SchemaNode::Kind;

constexpr std::size_t kManyElements = 12;    // a longer list is shown with its elements folded
constexpr std::size_t kLongestPreview = 90;  // in bytes

class RowMaker {
  public:
    RowMaker(const sim::JsonTree& tree, const std::set<std::string>& turned) : tree_(tree), turned_(turned) {}

    void add_root() {
        FormRow row;
        row.label = "scenario";
        row.content = FormContainer{"", &sim::scenario_schema()};
        rows.push_back(std::move(row));
        add_members(tree_.root(), sim::scenario_schema(), 0, "");
    }

    std::vector<FormRow> rows;

  private:
    // Adds the rows of an object's members, except for the member with the key `except`.
    void add_members(const JsonValue& object, const SchemaNode& node, int depth, std::string_view except) {
        for (const JsonValue* const member : sim::children_in_written_order(object)) {
            if (member->key() == except || (depth == 0 && member->key() == "format")) continue;
            const SchemaField* const field = node.field(member->key());
            FormRow row;
            row.label = std::string(member->written_key());
            row.has_own_key = node.kind == Kind::map;
            row.can_remove = field == nullptr || !field->is_required;
            if (field != nullptr) row.description = field->description;
            add(std::move(row), *member, field != nullptr ? field->node : node.item, depth);
        }
    }

    void add_elements(const JsonValue& list, const SchemaNode& node, int depth) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            FormRow row;
            row.label = fmt::format("{}", i + 1);
            if (const JsonValue* const name = list[i].find("name"); name != nullptr && name->is_string())
                row.label += fmt::format("  {}", name->text());
            row.is_element = row.can_remove = true;
            row.is_step = node.item != nullptr && node.item->type == "step";
            add(std::move(row), list[i], node.item, depth);
        }
    }

    bool is_folded(const JsonValue& value, const std::string& pointer, bool is_element) const {
        const bool is_section = pointer.find('/', 1) == std::string::npos;
        const bool is_background =
            is_section && (value.key() == "provenance" || value.key() == "tour" || value.key() == "expect");
        const std::size_t slash = pointer.rfind('/');
        const bool is_one_of_many =
            is_element && sim::value_at(tree_, pointer.substr(0, slash))->size() > kManyElements;
        return (is_background || is_one_of_many) != turned_.contains(pointer);
    }

    // Adds a row for the value, and rows for its contents. `node`: null if the schema does not describe the
    // value.
    void add(FormRow row, const JsonValue& whole, const SchemaNode* node, int depth) {
        row.pointer = whole.pointer();
        row.depth = depth;
        const JsonValue* value = &whole;
        // The object whose leading member this row shows, such as "run" in {"run": "2ms"}
        // (SchemaVariant::verb), and the object's schema node.
        const JsonValue* object = nullptr;
        const SchemaNode* object_node = nullptr;
        std::string leading;
        while (node != nullptr && (node->kind == Kind::variants || node->kind == Kind::word)) {
            const SchemaVariant* const variant = node->variant_of(*value);
            row.choices.push_back({value->pointer(), node, variant == nullptr ? "?" : variant->label});
            const bool is_word = variant != nullptr && !variant->word.empty();
            node = variant == nullptr || is_word ? nullptr : variant->node;
            if (variant == nullptr) row.cell = raw_cell(*value);
            if (node == nullptr) break;
            if (variant->verb.empty()) continue;
            object = value;
            object_node = node;
            leading = variant->verb;
            value = object->find(leading);
            node = object_node->field(leading)->node;
        }
        const bool is_known = node != nullptr && node->fits(*value);
        // The schema allows several forms of the value. The value is a fixed word, such as "yield", or has
        // none of these forms.
        const bool is_word_or_mismatch = node == nullptr && !row.choices.empty();
        if (!is_known && !is_word_or_mismatch) row.cell = raw_cell(*value);
        if (is_known && node->is_scalar()) row.cell = FormCell{value->pointer(), node, text_of_value(*value)};
        const std::optional<Content> content =
            is_known && is_container(*node) ? std::optional(Content{value, node, {}})
            : object != nullptr             ? rest_without_leading_member(*object, *object_node, leading)
                                            : std::nullopt;
        if (content) row.content = FormContainer{content->value->pointer(), content->node};
        row.can_fold = content && content->value->size() > (content->except.empty() ? 0 : 1);
        row.is_folded = row.can_fold && is_folded(whole, row.pointer, row.is_element);
        if (row.is_folded) row.preview = preview_of(*content->value);
        const bool is_open = row.can_fold && !row.is_folded;
        rows.push_back(std::move(row));
        if (!is_open) return;
        if (content->node->kind == Kind::list)
            add_elements(*content->value, *content->node, depth + 1);
        else
            add_members(*content->value, *content->node, depth + 1, content->except);
    }

    // An object or list whose members or elements are the rows below a row.
    struct Content {
        const JsonValue* value;
        const SchemaNode* node;
        std::string except;  // the key of a member that the row itself shows
    };

    // The content of an object whose member `leading_key` is shown in the object's own row. The content is
    // the list in the object, such as the steps of a loop. If there is no list, it is the other members.
    static std::optional<Content> rest_without_leading_member(const JsonValue& object, const SchemaNode& node,
                                                              const std::string& leading_key) {
        for (const SchemaField& field : node.fields)
            if (const JsonValue* const list = object.find(field.key);
                list != nullptr && field.node->kind == Kind::list && field.key != leading_key)
                return Content{list, field.node, {}};
        if (node.fields.size() < 2) return std::nullopt;
        return Content{&object, &node, leading_key};
    }

    static bool is_container(const SchemaNode& node) {
        return node.kind == Kind::object || node.kind == Kind::map || node.kind == Kind::list;
    }

    std::string text_of_value(const JsonValue& value) const {
        return value.is_string() ? std::string(value.text()) : std::string(sim::json_text_of(tree_, value));
    }

    FormCell raw_cell(const JsonValue& value) const {
        return {value.pointer(), nullptr, text_of_value(value)};
    }

    std::string preview_of(const JsonValue& value) const {
        std::string text;
        for (const char c : sim::json_text_of(tree_, value).substr(0, 4 * kLongestPreview))
            if (c != '\n' && (c != ' ' || (!text.empty() && text.back() != ' '))) text += c;
        return sim::shorten(text, kLongestPreview);
    }

    const sim::JsonTree& tree_;
    const std::set<std::string>& turned_;
};

// A kind of names, such as the names of locks. `keys`: the keys of the program steps that contain such names.
// `declared`: the key of the scenario that declares the names; empty: none.
struct NameFamily {
    std::vector<std::string_view> keys;
    std::string_view declared;
};
const std::array<NameFamily, 5> kNameFamilies{{{{"fork", "exec", "unpark"}, "tasks"},
                                               {{"lock", "unlock", "mutex"}, "locks"},
                                               {{"wait", "wake", "signal", "broadcast"}, ""},
                                               {{"io"}, "devices"},
                                               {{"pipe_read", "pipe_write"}, "pipes"}}};

using KnownNames = std::array<std::set<std::string>, kNameFamilies.size()>;

// The family of a key; nullopt: the value of the key is not a name.
std::optional<std::size_t> family_of(std::string_view key) {
    for (std::size_t i = 0; i < kNameFamilies.size(); ++i)
        if (const auto& keys = kNameFamilies[i].keys; std::find(keys.begin(), keys.end(), key) != keys.end())
            return i;
    return std::nullopt;
}

void collect_names(const JsonValue& value, KnownNames& names) {
    for (const JsonValue* const child : value.children()) {
        if (child->is_string())
            if (const std::optional<std::size_t> family = family_of(child->key()))
                names[*family].emplace(child->text());
        collect_names(*child, names);
    }
}

// The names that the scenario declares and uses, by family.
KnownNames known_names(const sim::JsonTree& tree) {
    KnownNames names;
    for (std::size_t i = 0; i < kNameFamilies.size(); ++i)
        if (const JsonValue* const declared = tree.root().find(kNameFamilies[i].declared);
            declared != nullptr)
            for (const JsonValue* const one : declared->children()) {
                const JsonValue* const name = one->is_string() ? one : one->find("name");
                names[i].emplace(name != nullptr ? name->text() : one->key());
            }
    collect_names(tree.root(), names);
    return names;
}

// Adds each problem to the row of its value or, if there is no such row, to the row of the innermost value
// that contains it.
void add_problems(const std::vector<sim::Problem>& problems, std::vector<FormRow>& rows) {
    for (const sim::Problem& problem : problems) {
        FormRow* nearest = &rows.front();
        for (FormRow& row : rows)
            if (sim::is_at_or_below(problem.pointer, row.pointer) &&
                row.pointer.size() >= nearest->pointer.size())
                nearest = &row;
        nearest->problem += (nearest->problem.empty() ? "" : "\n") + problem.message;
    }
}

// A name for a new task group: the first letter that is not the name of a group.
std::string unused_group_name(const sim::JsonTree& tree) {
    std::set<std::string_view> taken;
    for (const JsonValue* const task : tree.root().find("tasks")->children())
        if (const JsonValue* const name = task->find("name"); name != nullptr && name->is_string())
            taken.insert(name->text());
    for (std::size_t i = 0;; ++i)
        if (std::string name =
                i < 26 ? std::string(1, static_cast<char>('A' + i)) : fmt::format("P{}", i + 1);
            !taken.contains(name))
            return name;
}

}  // namespace

std::vector<FormRow> scenario_rows(const sim::JsonTree& tree, const std::vector<sim::Problem>& problems,
                                   const std::set<std::string>& toggled) {
    RowMaker maker(tree, toggled);
    maker.add_root();
    add_problems(problems, maker.rows);
    return std::move(maker.rows);
}

namespace {

std::string word_for_element(const std::string& list) {
    return list == "/tour"               ? "stop"
           : list == "/expect"           ? "assertion"
           : list == "/locks"            ? "lock"
           : list.ends_with("/affinity") ? "CPU"
                                         : "element";
}

}  // namespace

std::vector<PossibleAddition> possible_additions(const sim::JsonTree& tree, const FormContainer& content) {
    const JsonValue& value = *sim::value_at(tree, content.pointer);
    const SchemaNode& node = *content.node;
    std::vector<PossibleAddition> all;
    if (node.kind == Kind::list) {
        const KnownNames names = known_names(tree);
        for (const SchemaVariant& variant : node.item->variants) {
            // A step whose value is a name gets the first known name of this kind.
            const std::optional<std::size_t> family = family_of(variant.verb);
            std::string json = sim::new_value_json(variant);
            if (family && !names[*family].empty() && variant.node->fields.size() <= 2)
                if (const SchemaField* const field = variant.node->field(variant.verb);
                    field != nullptr && field->node->type == "name")
                    json = fmt::format("{{{}: {}}}", sim::json_string(variant.verb),
                                       sim::json_string(*names[*family].begin()));
            all.push_back({variant.label, variant.description, {}, json});
        }
        if (content.pointer == "/tasks")
            all.push_back({"task group",
                           node.item->description,
                           {},
                           fmt::format(R"({{"name": "{}", "burst": "1ms"}})", unused_group_name(tree))});
        else if (all.empty())
            all.push_back({word_for_element(content.pointer),
                           node.item->description,
                           {},
                           sim::new_value_json(*node.item)});
        return all;
    }
    if (node.kind == Kind::map) {
        std::string key = "name";
        for (int i = 2; value.find(key) != nullptr; ++i) key = fmt::format("name{}", i);
        const bool is_known = node.item->type == "device" || node.item->type == "pipe";
        all.push_back(
            {is_known ? node.item->type : "entry",
             is_known ? fmt::format("A new {}; type its name", node.item->type) : node.item->description, key,
             sim::new_value_json(*node.item)});
        return all;
    }
    for (const SchemaField& field : node.fields)
        if (field.key != "format" && value.find(field.key) == nullptr)
            all.push_back({field.key, field.description, field.key, sim::new_value_json(*field.node)});
    return all;
}

std::vector<std::string> suggested_values(const sim::JsonTree& tree, const FormCell& cell) {
    const std::string key = cell.pointer.substr(cell.pointer.rfind('/') + 1);
    if (key == "machine" || key == "base") return sim::builtin_file_names("machines/");
    std::set<std::string> names;
    if (key == "policy" || key == "compare")
        for (const sim::PolicyName& row : sim::policy_names()) names.emplace(row.policy);
    if (const std::optional<std::size_t> family = family_of(key)) names = known_names(tree)[*family];
    names.erase(cell.shown);
    return {names.begin(), names.end()};
}

std::string json_from_entered_text(const FormCell& cell, const std::string& typed) {
    return sim::json_from_entered_text(typed, cell.node);
}

}  // namespace ui
