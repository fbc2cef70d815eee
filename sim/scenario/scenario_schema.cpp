#include "sim/scenario/scenario_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_edit.h"

namespace sim {
namespace {

using Json = nlohmann::ordered_json;
using Kind = SchemaNode::Kind;

// The JSON text in one line, with spaces after commas and colons.
std::string spaced_json(const Json& json) {
    if (!json.is_structured()) return json.dump();
    std::string members;
    for (const auto& [key, value] : json.items())
        members += fmt::format("{}{}{}", members.empty() ? "" : ", ",
                               json.is_object() ? json_string(key) + ": " : "", spaced_json(value));
    return json.is_object() ? "{" + members + "}" : "[" + members + "]";
}

// Builds one node for each definition of the schema. All references to a definition share its node, because
// the definition of a program step refers to itself.
class SchemaReader {
  public:
    explicit SchemaReader(Json schema) : schema_(std::move(schema)) {}

    const SchemaNode& definition(const std::string& name) {
        const auto found = definitions_.find(name);
        if (found != definitions_.end()) return *found->second;
        SchemaNode& node = add();
        definitions_[name] = &node;
        read(schema_.at("$defs").at(name), node);
        // A definition that refers to another definition, by $ref or allOf, has the type of the other
        // definition: the type of a short_cost is "cost".
        if (node.type.empty()) node.type = name;
        return node;
    }

  private:
    SchemaNode& add() { return *nodes_.emplace_back(std::make_unique<SchemaNode>()); }

    static std::string string_at(const Json& rule, const char* key) { return rule.value(key, std::string{}); }

    static std::string name_of_reference(const Json& rule) {
        constexpr std::string_view kStart = "#/$defs/";
        return rule.at("$ref").get<std::string>().substr(kStart.size());
    }

    const SchemaNode& node_of(const Json& rule) {
        const bool is_plain = rule.contains("$ref") && !rule.contains("examples");
        if (is_plain) return definition(name_of_reference(rule));
        SchemaNode& node = add();
        read(rule, node);
        return node;
    }

    void read(const Json& rule, SchemaNode& node) {
        if (rule.contains("$ref")) node = definition(name_of_reference(rule));
        if (rule.contains("allOf")) node = node_of(rule.at("allOf").front());
        if (rule.contains("description")) node.description = string_at(rule, "description");
        if (rule.contains("examples")) node.example = spaced_json(rule.at("examples").front());
        if (rule.contains("const") || rule.contains("enum"))
            read_words(rule, node);
        else if (rule.contains("type"))
            read_type(rule, node);
        else if (rule.contains("oneOf"))
            read_variants(rule.at("oneOf"), node);
    }

    void read_words(const Json& rule, SchemaNode& node) {
        node.kind = Kind::word;
        const Json words = rule.contains("const")  ? Json::array({rule.at("const")})
                           : rule.contains("enum") ? rule.at("enum")
                                                   : Json::array({true, false});
        for (const Json& word : words)
            node.variants.push_back({.label = word.is_string() ? word.get<std::string>() : word.dump(),
                                     .description = description_of_word(node.description, word),
                                     .node = &node,
                                     .word = word.dump(),
                                     .verb = {}});
        node.example = words.front().dump();
    }

    void read_type(const Json& rule, SchemaNode& node) {
        const std::string type = rule.at("type");
        if (type == "object") return read_object(rule, node);
        if (type == "array") {
            node.kind = Kind::list;
            node.least_items = rule.value("minItems", std::size_t{0});
            node.item =
                &node_of(rule.contains("prefixItems") ? rule.at("prefixItems").front() : rule.at("items"));
        } else if (type == "boolean") {
            read_words(rule, node);
        } else if (type == "null") {
            node.kind = Kind::null;
            node.example = "null";
        } else if (type == "integer" || type == "number") {
            node.kind = type == "integer" ? Kind::integer : Kind::number;
            if (node.example.empty())
                node.example =
                    fmt::format("{}", std::max<std::int64_t>(1, rule.value("minimum", std::int64_t{0})));
        } else if (node.example.empty()) {
            node.example = "\"\"";
        }
    }

    void read_object(const Json& rule, SchemaNode& node) {
        if (!rule.contains("properties")) {
            node.kind = Kind::map;
            node.item = &node_of(rule.at("additionalProperties"));
            return;
        }
        node.kind = Kind::object;
        const Json required = rule.value("required", Json::array());
        for (const auto& [key, value] : rule.at("properties").items()) {
            if (value.value("deprecated", false)) continue;
            const SchemaNode& field = node_of(value);
            const std::string own = string_at(value, "description");
            const bool is_required = std::find(required.begin(), required.end(), key) != required.end();
            node.fields.push_back({key, own.empty() ? field.description : own, &field, is_required});
        }
    }

    // Returns the part of a description that is about `word`; the entire description if there is no such
    // part. Example of a description: "yield: call sched_yield(). exit: end the task."
    static std::string description_of_word(const std::string& node_description, const Json& word) {
        if (!word.is_string()) return node_description;
        const std::string start = word.get<std::string>() + ": ";
        const std::size_t begin = node_description.find(start);
        if (begin == std::string::npos) return node_description;
        const std::string part = node_description.substr(begin + start.size());
        const std::size_t colon = part.find(": ");
        return colon == std::string::npos ? part : part.substr(0, part.rfind(". ", colon) + 1);
    }

    // The label of a variant that is not a word: the leading key of an object (`verb`), or else the kind of
    // the value.
    static std::string label_of(const SchemaNode& node, const std::string& verb) {
        if (!verb.empty()) return verb;
        switch (node.kind) {
            case Kind::integer:
            case Kind::number:
                return "number";
            case Kind::null:
                return "none";
            case Kind::list:
                return "list";
            case Kind::object:
            case Kind::map:
                return "details";
            default:
                return node.type.empty() ? "text" : node.type;
        }
    }

    void read_variants(const Json& alternatives, SchemaNode& node) {
        // In the rule of an object, such as a task group, "oneOf" defines no variants. It only excludes
        // combinations of fields.
        if (node.kind == Kind::object) return;
        node.kind = Kind::variants;
        for (const Json& alternative : alternatives) {
            const SchemaNode& one = node_of(alternative);
            if (one.kind == Kind::word) {
                node.variants.insert(node.variants.end(), one.variants.begin(), one.variants.end());
                continue;
            }
            const auto leading = std::find_if(one.fields.begin(), one.fields.end(),
                                              [](const SchemaField& field) { return field.is_required; });
            const std::string verb =
                one.kind == Kind::object && leading == one.fields.begin() && leading != one.fields.end()
                    ? leading->key
                    : "";
            node.variants.push_back({label_of(one, verb), one.description, &one, {}, verb});
        }
    }

    Json schema_;
    std::vector<std::unique_ptr<SchemaNode>> nodes_;
    std::map<std::string, const SchemaNode*> definitions_;
};

}  // namespace

const SchemaField* SchemaNode::field(std::string_view key) const {
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const SchemaField& f) { return f.key == key; });
    return found == fields.end() ? nullptr : &*found;
}

bool SchemaNode::fits(const JsonValue& value) const {
    switch (kind) {
        case Kind::text:
            return value.is_string();
        case Kind::integer:
        case Kind::number:
            return value.is_number();
        case Kind::null:
            return value.is_null();
        case Kind::object:
        case Kind::map:
            return value.is_object();
        case Kind::list:
            return value.is_array();
        case Kind::word:
        case Kind::variants:
            break;
    }
    return variant_of(value) != nullptr;
}

const SchemaVariant* SchemaNode::variant_of(const JsonValue& value) const {
    for (const SchemaVariant& variant : variants)
        if (variant.word.empty()
                ? variant.node->fits(value) && (variant.verb.empty() || value.find(variant.verb) != nullptr)
                : value.to_nlohmann_json().dump() == variant.word)
            return &variant;
    return nullptr;
}

const SchemaNode& scenario_schema() {
    static SchemaReader reader(Json::parse(find_builtin_file("schema.json")->text));
    static const SchemaNode& scenario = reader.definition("scenario");
    return scenario;
}

std::string new_value_json(const SchemaNode& node) {
    if (!node.example.empty()) return node.example;
    if (node.kind == Kind::variants) return new_value_json(node.variants.front());
    std::string members;
    if (node.kind == Kind::list)
        for (std::size_t i = 0; i < node.least_items; ++i)
            members += (members.empty() ? "" : ", ") + new_value_json(*node.item);
    for (const SchemaField& field : node.fields)
        if (field.is_required)
            members += fmt::format("{}{}: {}", members.empty() ? "" : ", ", json_string(field.key),
                                   new_value_json(*field.node));
    return node.kind == Kind::list ? "[" + members + "]" : "{" + members + "}";
}

std::string new_value_json(const SchemaVariant& variant) {
    return variant.word.empty() ? new_value_json(*variant.node) : variant.word;
}

}  // namespace sim
