#include "tests/support/schema_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <utility>

using nlohmann::json;

Schema::Schema(json root) : root_(std::move(root)) {}

std::string Schema::fault(const json& value) const { return fault(root_, value, ""); }

std::string Schema::fault(const json& schema, const json& value, const std::string& where) const {
    std::string found;
    for (const auto& [keyword, rule] : schema.items()) {
        found = fault_of(keyword, rule, schema, value, where);
        if (!found.empty()) break;
    }
    return found;
}

std::string Schema::fault_of(const std::string& keyword, const json& rule, const json& schema,
                             const json& value, const std::string& where) const {
    const auto wrong = [&](bool is_wrong) {
        return is_wrong ? fmt::format("{} breaks {} {}", where, keyword, rule.dump()) : std::string{};
    };
    static const std::set<std::string> notes{"$schema",     "$id",     "$defs",   "title",
                                             "description", "default", "examples"};
    if (notes.contains(keyword)) return {};
    if (keyword == "$ref") {
        const std::string path = rule.get<std::string>().substr(1);
        return fault(root_.at(json::json_pointer(path)), value, where);
    }
    if (keyword == "type") {
        return wrong(rule == "object"    ? !value.is_object()
                     : rule == "array"   ? !value.is_array()
                     : rule == "string"  ? !value.is_string()
                     : rule == "integer" ? !value.is_number_integer()
                     : rule == "number"  ? !value.is_number()
                     : rule == "boolean" ? !value.is_boolean()
                                         : true);
    }
    if (keyword == "const") return wrong(value != rule);
    if (keyword == "enum") return wrong(std::find(rule.begin(), rule.end(), value) == rule.end());
    if (keyword == "minimum") return wrong(value.is_number() && value < rule);
    if (keyword == "maximum") return wrong(value.is_number() && value > rule);
    if (keyword == "minItems") return wrong(value.is_array() && value.size() < rule.get<std::size_t>());
    if (keyword == "maxItems") return wrong(value.is_array() && value.size() > rule.get<std::size_t>());
    if (keyword == "pattern")
        return wrong(value.is_string() &&
                     !std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())));
    if (keyword == "oneOf") {
        const auto fits = std::count_if(rule.begin(), rule.end(),
                                        [&](const json& one) { return fault(one, value, where).empty(); });
        return wrong(fits != 1);
    }
    if (keyword == "required") {
        for (const json& key : rule)
            if (!value.contains(key.get<std::string>())) return fmt::format("{} lacks {}", where, key.dump());
        return {};
    }
    if (keyword == "properties") {
        for (const auto& [key, sub] : rule.items()) {
            if (!value.contains(key)) continue;
            if (const std::string f = fault(sub, value.at(key), where + "/" + key); !f.empty()) return f;
        }
        return {};
    }
    if (keyword == "additionalProperties") {
        for (const auto& [key, sub] : value.items()) {
            if (schema.contains("properties") && schema.at("properties").contains(key)) continue;
            if (!rule.is_object()) return fmt::format("{} has an unknown {}", where, key);
            if (std::string f = fault(rule, sub, where + "/" + key); !f.empty()) return f;
        }
        return {};
    }
    if (keyword == "items") {
        for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
            if (std::string f = fault(rule, value[i], fmt::format("{}/{}", where, i)); !f.empty()) return f;
        return {};
    }
    return "unknown keyword " + keyword;
}
