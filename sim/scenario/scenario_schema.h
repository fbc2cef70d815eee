// The rules of scenarios/schema.json, for editors. For each value in a scenario, they define the fields of an
// object, the alternatives, and an example of a new value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/json_tree.h"

namespace sim {

class SchemaNode;

struct SchemaField {
    std::string key;
    std::string description;  // may be empty
    const SchemaNode* node;
    bool is_required;
};

// One of the alternative forms of a value: a word such as "yield", an object with a leading key such as
// {"run": ...}, or a kind of value such as "time" or "list".
struct SchemaVariant {
    std::string label;
    std::string description;
    const SchemaNode* node;
    std::string word;  // JSON text of the value if there is only one, such as "yield"; otherwise empty
    std::string verb;  // leading key, such as "run", if the variant is an object with one; otherwise empty
};

class SchemaNode {
  public:
    // word: one of several fixed values. map: an object whose keys are chosen by the user.
    enum class Kind : std::uint8_t { text, integer, number, null, word, object, map, list, variants };

    Kind kind = Kind::text;
    std::string type;                  // the name of the definition: "time", "name"; empty: none
    std::string description;           // may be empty
    std::vector<SchemaField> fields;   // fields of an object, in the usual order, without old names of keys
    const SchemaNode* item = nullptr;  // node of the elements of a list, or of the values of a map
    std::size_t least_items = 0;       // minimum number of elements of a list
    std::vector<SchemaVariant> variants;  // alternatives, if the kind is `variants` or `word`
    std::string example;                  // JSON text for a new value of this kind

    bool is_scalar() const { return kind == Kind::text || kind == Kind::integer || kind == Kind::number; }
    const SchemaField* field(std::string_view key) const;
    // Whether the value has the kind of this node. The content of the value is not checked.
    bool fits(const JsonValue& value) const;
    // The variant that matches the value; null if there is none. REQUIRES: this node has variants.
    const SchemaVariant* variant_of(const JsonValue& value) const;
};

// The node of a whole scenario.
const SchemaNode& scenario_schema();

// The JSON text of a new value of this kind: the example, or an object with examples of its required fields.
std::string new_value_json(const SchemaNode& node);
// The JSON text of a new value that has the form of this variant.
std::string new_value_json(const SchemaVariant& variant);

}  // namespace sim
