// Whether a JSON value is as a JSON Schema says: as much of the language as the published schema uses.
//
// Debian's python3-jsonschema knows all of it, but each of the values would need a start of Python, which
// takes longer than checking all of them here.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

class Schema {
  public:
    explicit Schema(nlohmann::json root);

    // Why the value is not as the schema says; empty when it is. A keyword that is not known here is a fault
    // of every value.
    std::string fault(const nlohmann::json& value) const;

  private:
    std::string fault(const nlohmann::json& schema, const nlohmann::json& value,
                      const std::string& where) const;
    std::string fault_of(const std::string& keyword, const nlohmann::json& rule, const nlohmann::json& schema,
                         const nlohmann::json& value, const std::string& where) const;

    nlohmann::json root_;
};
