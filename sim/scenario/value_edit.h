// Edits of a JSON text at a JSON pointer, for editors: set, remove, insert, move and rename values. The text
// need not be a valid scenario. json_edit.h describes how the rest of the text is preserved.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/json_tree.h"
#include "sim/scenario/scenario_schema.h"

namespace sim {

// The value at this pointer; null if there is none.
const JsonValue* value_at(const JsonTree& tree, const std::string& pointer);
// The pointer to the object or list that contains the value at `pointer`; "" if the value is a member of the
// root.
std::string parent_pointer(const std::string& pointer);
// Whether the pointer denotes the value at `ancestor`, or a part of it.
bool is_at_or_below(const std::string& pointer, const std::string& ancestor);
// Returns the elements of an array, or the members of an object in the order of the text.
// JsonValue::children() sorts the members of an object by key.
std::vector<const JsonValue*> children_in_written_order(const JsonValue& value);
// The JSON text of a value, as it is written in the tree's text.
std::string_view json_text_of(const JsonTree& tree, const JsonValue& value);

// The following functions return the new text, or the old text if the value does not exist. The entries of
// "provenance" about a value are moved or removed together with it; they are removed if the value is
// replaced. Lines that become too long are broken.

// Replaces the value at the pointer. If there is none, adds a member to the enclosing object. `object` is the
// schema of the enclosing object, which defines the order of its members; it may be null.
std::string with_value_at(const JsonTree& tree, const std::string& pointer, std::string_view json,
                          const SchemaNode* object = nullptr);
// Removes the object member or the list element at the pointer.
std::string without_value_at(const JsonTree& tree, const std::string& pointer);
// Inserts an element into the list at the pointer `list`, before element `index`. Appends the element if
// `index` is the size of the list. REQUIRES: index <= size.
std::string with_inserted_element(const JsonTree& tree, const std::string& list, std::size_t index,
                                  std::string_view json);
// Exchanges the elements `first_index` and `first_index + 1` of the list at the pointer `list`.
std::string with_adjacent_elements_exchanged(const JsonTree& tree, const std::string& list,
                                             std::size_t first_index);
// Changes the key of a member. REQUIRES: the object has no member with this key.
std::string with_renamed_key(const JsonTree& tree, const std::string& pointer, std::string_view key);
// Replaces the member at the pointer by a member with the key `key` and the value `json`.
std::string with_replaced_key_and_value(const JsonTree& tree, const std::string& pointer,
                                        std::string_view key, std::string_view json);

// Converts the text that a user has typed for a value of the kind `node` to JSON. If `node` is null, any JSON
// is accepted. A time without a unit is in ms. Text that is not valid for the kind becomes a string, for
// which parse_scenario() reports a problem.
std::string json_from_entered_text(const std::string& typed, const SchemaNode* node);

// Converts the value to another variant and returns its JSON. A scalar of the old value is kept if the new
// variant accepts it: {"run": "8ms"} becomes {"sleep": "8ms"}, and "i486" as an object becomes {"base":
// "i486"}. If the new variant is a loop, the old step becomes the first step of its body.
std::string convert_to_variant(const JsonTree& tree, const JsonValue& value, const SchemaNode& node,
                               const SchemaVariant& variant);

}  // namespace sim
