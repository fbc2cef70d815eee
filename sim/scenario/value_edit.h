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
// The pointer of the object or list that contains the value; "" for a member of the root.
std::string parent_pointer(const std::string& pointer);
// Whether the pointer denotes the value at `place`, or a part of it.
bool is_at_or_below(const std::string& pointer, const std::string& place);
// The elements, or the members in the order of the text and not of their keys.
std::vector<const JsonValue*> in_written_order(const JsonValue& value);
// The source of a value.
std::string_view source_of(const JsonTree& tree, const JsonValue& value);

// The following functions return the new text; the old one if there is no such value. What "provenance"
// states about values moves and goes with them, and goes when a value is replaced. Lines that become too long
// are broken. REQUIRES: the values exist.

// Replaces the value, or adds a member to the object that contains the pointer. `object`: the schema of this
// object, for the order of its members; may be null.
std::string with_value_at(const JsonTree& tree, const std::string& pointer, std::string_view json,
                          const SchemaNode* object = nullptr);
// Removes a member or an element.
std::string without_value_at(const JsonTree& tree, const std::string& pointer);
// Inserts an element before `index`, or appends it. REQUIRES: index <= size.
std::string with_element_at(const JsonTree& tree, const std::string& list, std::size_t index,
                            std::string_view json);
// Exchanges the elements `index` and `index + 1`.
std::string with_elements_exchanged(const JsonTree& tree, const std::string& list, std::size_t index);
// Changes the key of a member. REQUIRES: the object has no member with this key.
std::string with_renamed_key(const JsonTree& tree, const std::string& pointer, std::string_view key);
// Replaces a member by one with another key and value.
std::string with_renamed_value(const JsonTree& tree, const std::string& pointer, std::string_view key,
                               std::string_view json);

// The JSON of what a user has typed for a value of this kind; null: any JSON. A time without a unit is in ms.
// What does not fit becomes a string, which the reader refuses with a reason.
std::string json_of_typed(const std::string& typed, const SchemaNode* node);

// The JSON of the value as another variant. What fits is kept: {"run": "8ms"} becomes {"sleep": "8ms"}, and
// "i486" as an object becomes {"base": "i486"}.
std::string as_variant(const JsonTree& tree, const JsonValue& value, const SchemaNode& node,
                       const SchemaVariant& variant);

}  // namespace sim
