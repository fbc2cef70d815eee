#include "sim/scenario/value_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sim/scenario/job_values.h"
#include "sim/scenario/json_edit.h"
#include "sim/scenario/provenance_edit.h"

namespace sim {
namespace {

using Kind = SchemaNode::Kind;

constexpr std::size_t kLongestLine = 110;

std::string last_key(const std::string& pointer) { return json_pointer_segments(pointer)->back(); }

// Returns the JSON text of the value. If the text, which starts at `column` of its line, does not fit in the
// line, each child gets a line of its own.
std::string with_line_breaks(const std::string& text, const JsonValue& value, std::size_t indent,
                             std::size_t column) {
    const std::string source = text.substr(value.value_begin(), value.value_end() - value.value_begin());
    if (column + source.size() <= kLongestLine || value.size() == 0) return source;
    const std::string line = "\n" + std::string(indent + 4, ' ');
    std::string all;
    for (const JsonValue* const child : children_in_written_order(value)) {
        const std::string key = value.is_object() ? json_string(child->written_key()) + ": " : "";
        all += (all.empty() ? "" : ",") + line + key +
               with_line_breaks(text, *child, indent + 4, indent + 4 + key.size());
    }
    return source.front() + all + "\n" + std::string(indent, ' ') + source.back();
}

// Breaks the line that contains the value at this pointer, if the line is too long.
std::string with_long_line_broken(const std::string& file, std::string text, const std::string& pointer) {
    const JsonTree tree(file, std::move(text));
    const std::string& all = tree.text();
    const JsonValue* value = &tree.root();
    const std::optional<std::vector<std::string>> pieces = json_pointer_segments(pointer);
    for (std::size_t i = 0;; ++i) {
        // Without a preceding '\n', npos + 1 is 0: the start of the text.
        const std::size_t before = all.rfind('\n', value->value_begin()) + 1;
        const std::size_t after = std::min(all.find('\n', value->value_begin()), all.size());
        const bool is_on_one_line = value->value_end() <= after;
        const std::string source =
            all.substr(value->value_begin(), value->value_end() - value->value_begin());
        if (is_on_one_line && value->size() > 0 && after - before > kLongestLine) {
            if (source.find("/*") != std::string::npos) return all;
            const std::size_t indent = all.find_first_not_of(' ', before) - before;
            return with_replaced_value(tree, *value,
                                       with_line_breaks(all, *value, indent, value->value_begin() - before));
        }
        if (i >= pieces->size()) return all;
        value = value->at((*pieces)[i]);
        if (value == nullptr) return all;
    }
}

std::string with_moved_provenance(const JsonTree& tree, std::string text, const std::string& list,
                                  std::size_t index, ListChange change) {
    return with_renamed_provenance_pointers(tree.file(), std::move(text), [&](const std::string& pointer) {
        return moved_pointer(pointer, list, index, change);
    });
}

// Returns the text in which a member with the key `key` and the value `json` replaces the member at the
// pointer.
std::string with_replaced_member(const JsonTree& tree, const std::string& pointer, std::string_view key,
                                 std::string_view json) {
    const MemberChange renamed{value_at(tree, pointer), {{std::string(key), std::string(json)}}};
    const JsonValue& parent = *value_at(tree, parent_pointer(pointer));
    return with_long_line_broken(tree.file(), with_changed_members(tree, parent, std::span(&renamed, 1)),
                                 parent_pointer(pointer));
}

// The text without the entries of "provenance" about the value at this pointer and its parts.
std::string without_provenance_of(const std::string& file, std::string text, const std::string& pointer) {
    return with_renamed_provenance_pointers(file, std::move(text),
                                            [&](const std::string& entry) -> std::optional<std::string> {
                                                if (is_at_or_below(entry, pointer)) return std::nullopt;
                                                return entry;
                                            });
}

// The type of a node without the prefix of a restriction: "time" if the type is "positive_time".
std::string_view type_without_restriction(const SchemaNode& node) {
    std::string_view type = node.type;
    if (type.starts_with("positive_")) type.remove_prefix(std::string_view("positive_").size());
    return type;
}

// Whether the scalar `value`, whose schema node is `actual`, may be used where `expected` is required.
// Restrictions such as positive_time are not checked.
bool accepts(const SchemaNode& expected, const SchemaNode& actual, const JsonValue& value) {
    if (expected.kind == Kind::variants)
        return std::any_of(expected.variants.begin(), expected.variants.end(),
                           [&](const SchemaVariant& variant) {
                               return variant.word.empty() && accepts(*variant.node, actual, value);
                           });
    return expected.is_scalar() && expected.kind == actual.kind &&
           type_without_restriction(expected) == type_without_restriction(actual) &&
           (expected.kind == Kind::text ? value.is_string() : value.is_number());
}

// Finds a scalar in a value: the value itself or, in an object, the scalar of the first field that contains
// one. Returns the scalar with its schema node, or null pointers if the value contains no scalar.
std::pair<const JsonValue*, const SchemaNode*> find_scalar(const JsonValue& value, const SchemaNode& node) {
    if (node.is_scalar()) return {&value, &node};
    if (node.kind == Kind::variants) {
        const SchemaVariant* const variant = node.variant_of(value);
        if (variant != nullptr && variant->word.empty()) return find_scalar(value, *variant->node);
    }
    for (const SchemaField& field : node.fields)
        if (const JsonValue* const member = value.find(field.key); member != nullptr)
            if (const auto found = find_scalar(*member, *field.node); found.first != nullptr) return found;
    return {nullptr, nullptr};
}

}  // namespace

std::string parent_pointer(const std::string& pointer) {
    return pointer.substr(0, pointer.empty() ? 0 : pointer.rfind('/'));
}

bool is_at_or_below(const std::string& pointer, const std::string& ancestor) {
    return pointer.starts_with(ancestor) &&
           (pointer.size() == ancestor.size() || pointer[ancestor.size()] == '/');
}

std::vector<const JsonValue*> children_in_written_order(const JsonValue& value) {
    std::vector<const JsonValue*> children(value.children().begin(), value.children().end());
    std::sort(children.begin(), children.end(),
              [](const JsonValue* a, const JsonValue* b) { return a->value_begin() < b->value_begin(); });
    return children;
}

const JsonValue* value_at(const JsonTree& tree, const std::string& pointer) {
    const std::optional<std::vector<std::string>> pieces = json_pointer_segments(pointer);
    const JsonValue* value = pointer.empty() || pieces ? &tree.root() : nullptr;
    if (pointer.empty()) return value;
    for (std::size_t i = 0; value != nullptr && i < pieces->size(); ++i) value = value->at((*pieces)[i]);
    return value;
}

std::string_view json_text_of(const JsonTree& tree, const JsonValue& value) {
    return std::string_view(tree.text()).substr(value.value_begin(), value.value_end() - value.value_begin());
}

std::string with_value_at(const JsonTree& tree, const std::string& pointer, std::string_view json,
                          const SchemaNode* object) {
    const JsonValue* const value = value_at(tree, pointer);
    if (value != nullptr)  // entries of "provenance" about the old value do not apply to the new value
        return without_provenance_of(
            tree.file(), with_long_line_broken(tree.file(), with_replaced_value(tree, *value, json), pointer),
            pointer);
    std::vector<std::string_view> order;
    if (object != nullptr)
        for (const SchemaField& field : object->fields) order.push_back(field.key);
    const JsonValue* const found = value_at(tree, parent_pointer(pointer));
    if (found == nullptr || !found->is_object()) return tree.text();
    const JsonValue& parent = *found;
    return with_long_line_broken(tree.file(), with_member(tree, parent, last_key(pointer), json, order),
                                 pointer);
}

std::string without_value_at(const JsonTree& tree, const std::string& pointer) {
    const std::string list = parent_pointer(pointer);
    if (value_at(tree, pointer) == nullptr) return tree.text();
    const JsonValue& parent = *value_at(tree, list);
    if (parent.is_array()) {
        const std::size_t index = *element_index(last_key(pointer));
        return with_moved_provenance(tree, without_element(tree, parent, index), list, index,
                                     ListChange::removed);
    }
    const MemberChange removed{value_at(tree, pointer), {}};
    return without_provenance_of(tree.file(), with_changed_members(tree, parent, std::span(&removed, 1)),
                                 pointer);
}

std::string with_inserted_element(const JsonTree& tree, const std::string& list, std::size_t index,
                                  std::string_view json) {
    const JsonValue* const found = value_at(tree, list);
    if (found == nullptr || !found->is_array() || index > found->size()) return tree.text();
    const JsonValue& array = *found;
    const std::string place = fmt::format("{}/{}", list, index);
    if (index == array.size()) {
        const bool is_section = list.find('/', 1) == std::string::npos;
        if (array.size() == 0 && is_section)  // a list of the root, such as "tasks", has one line per element
            return with_replaced_value(tree, array, fmt::format("[\n        {}\n    ]", json));
        return with_long_line_broken(tree.file(), with_element(tree, array, json), place);
    }
    const std::size_t at = array[index].value_begin();
    std::string text = tree.text();
    const std::size_t line = text.rfind('\n', at) + 1;
    const bool begins_line = text.find_first_not_of(" \t", line) == at;
    const std::string between = begins_line ? ",\n" + text.substr(line, at - line) : ", ";
    text.insert(at, std::string(json) + between);
    return with_long_line_broken(
        tree.file(), with_moved_provenance(tree, std::move(text), list, index, ListChange::inserted), place);
}

std::string with_adjacent_elements_exchanged(const JsonTree& tree, const std::string& list,
                                             std::size_t first_index) {
    const JsonValue* const found = value_at(tree, list);
    if (found == nullptr || first_index + 1 >= found->size()) return tree.text();
    const JsonValue& array = *found;
    const JsonValue &first = array[first_index], &second = array[first_index + 1];
    const std::string_view all = tree.text();
    std::string text(all.substr(0, first.value_begin()));
    text += json_text_of(tree, second);
    text += all.substr(first.value_end(), second.value_begin() - first.value_end());
    text += json_text_of(tree, first);
    text += all.substr(second.value_end());
    return with_moved_provenance(tree, std::move(text), list, first_index, ListChange::exchanged);
}

std::string with_renamed_key(const JsonTree& tree, const std::string& pointer, std::string_view key) {
    const JsonValue* const member = value_at(tree, pointer);
    if (member == nullptr) return tree.text();
    const std::string now = parent_pointer(pointer) + "/" + escaped_pointer_segment(key);
    return with_renamed_provenance_pointers(
        tree.file(), with_replaced_member(tree, pointer, key, json_text_of(tree, *member)),
        [&](const std::string& entry) -> std::optional<std::string> {
            return is_at_or_below(entry, pointer) ? now + entry.substr(pointer.size()) : entry;
        });
}

std::string with_replaced_key_and_value(const JsonTree& tree, const std::string& pointer,
                                        std::string_view key, std::string_view json) {
    if (value_at(tree, pointer) == nullptr) return tree.text();
    return without_provenance_of(tree.file(), with_replaced_member(tree, pointer, key, json), pointer);
}

std::string json_from_entered_text(const std::string& typed, const SchemaNode* node) {
    if (node != nullptr && node->kind == Kind::text)
        return json_string(type_without_restriction(*node) == "time" && is_plain_number(typed) ? typed + "ms"
                                                                                               : typed);
    const nlohmann::json value = nlohmann::json::parse(typed, nullptr, /*allow_exceptions=*/false);
    const bool fits = !value.is_discarded() && (node == nullptr || value.is_number());
    return fits ? typed : json_string(typed);
}

std::string convert_to_variant(const JsonTree& tree, const JsonValue& value, const SchemaNode& node,
                               const SchemaVariant& variant) {
    if (!variant.word.empty()) return variant.word;
    // If the variant is a loop, the old step becomes the first step of its body.
    for (const SchemaField& field : variant.node->fields)
        if (field.node->kind == Kind::list && field.node->item == &node && !variant.verb.empty())
            return fmt::format(R"({{{}: 2, {}: [{}]}})", json_string(variant.verb), json_string(field.key),
                               json_text_of(tree, value));
    const auto [scalar, type] = find_scalar(value, node);
    if (scalar == nullptr) return new_value_json(variant);
    if (accepts(*variant.node, *type, *scalar)) return std::string(json_text_of(tree, *scalar));
    // The variant is an object. The first of its fields that accepts the scalar receives the scalar, and the
    // other required fields receive new values.
    std::string members;
    bool is_used = false;
    for (const SchemaField& field : variant.node->fields) {
        const bool fits = !is_used && accepts(*field.node, *type, *scalar);
        if (!fits && !field.is_required) continue;
        is_used = is_used || fits;
        members += fmt::format("{}{}: {}", members.empty() ? "" : ", ", json_string(field.key),
                               fits ? std::string(json_text_of(tree, *scalar)) : new_value_json(*field.node));
    }
    return is_used ? "{" + members + "}" : new_value_json(variant);
}

}  // namespace sim
