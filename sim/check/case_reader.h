// Base class of the readers of recorded cases (JSON files with results of a kernel or a textbook): reads JSON
// values. If a value is invalid, throws a problem with the value's location.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/scenario/json_tree.h"

namespace sim {

class CaseReader {
  public:
    using Json = nlohmann::json;

    // REQUIRES: `text` outlives this object.
    explicit CaseReader(const JsonTree& text) : text_(text) {}

    [[noreturn]] void fail(const std::string& pointer, std::string message) const;
    void require(bool condition, const std::string& pointer, const char* message) const {
        if (!condition) fail(pointer, message);
    }
    const Json& member(const Json& object, const std::string& pointer, const char* key) const;
    const Json& array(const Json& value, const std::string& pointer) const;
    std::string read_string(const Json& value, const std::string& pointer) const;
    std::int64_t read_integer(const Json& value, const std::string& pointer, std::int64_t maximum,
                              std::int64_t minimum = 0) const;
    void refuse_unknown_keys(const Json& object, const std::string& pointer,
                             const std::vector<std::string>& known) const;

  protected:
    const JsonTree& text_;
};

// A text from a file or the user, shortened and made printable for a message.
std::string printable_excerpt(const std::string& text);

}  // namespace sim
