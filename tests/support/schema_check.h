// Validates JSON values against a JSON Schema; supports the keywords that the published schema uses.
//
// Debian's python3-jsonschema supports all keywords, but starting Python for each value takes longer than
// validating all values here.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

class Schema {
  public:
    explicit Schema(nlohmann::json root);

    // Returns a description of a violation; empty if the value is valid. An unsupported keyword is reported
    // as a violation.
    std::string fault(const nlohmann::json& value) const;

  private:
    std::string fault(const nlohmann::json& schema, const nlohmann::json& value,
                      const std::string& where) const;
    std::string fault_of(const std::string& keyword, const nlohmann::json& rule, const nlohmann::json& schema,
                         const nlohmann::json& value, const std::string& where) const;

    nlohmann::json root_;
};
