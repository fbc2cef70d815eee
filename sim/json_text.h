// JSON that remembers where it was written: a document, and the line and column of each of its values.
//
// Parsing is nlohmann/json's, with comments allowed; this adds what that library does not do: bounds on size and
// nesting before anything is built, keys given twice, characters that are not UTF-8, and places for error messages.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sim/problem.h"

namespace sim {

inline constexpr std::size_t kMaxJsonBytes = std::size_t{4} << 20;
inline constexpr int kMaxJsonDepth = 64;

class JsonText {
  public:
    // Parses. `file` is only named in messages. Throws ScenarioError.
    JsonText(std::string file, std::string text);

    const std::string& file() const { return file_; }
    const nlohmann::json& value() const { return value_; }

    // Replaces or adds a value, as `--set POINTER=VALUE` asks: VALUE is JSON, or else a string. Throws ScenarioError.
    void set(const std::string& assignment);

    // A problem with the value at this pointer, or with the key of it.
    Problem problem_at(const std::string& pointer, std::string message, bool at_key = false) const;

  private:
    std::string file_, text_;
    nlohmann::json value_;
    std::map<std::string, std::string> set_;  // pointer -> the --set that put it there
};

// All of a file, or of standard input for "-". Refuses what is no regular file, too large, or changes meanwhile.
// Throws ScenarioError.
std::string read_text_file(const std::string& path, std::size_t most = kMaxJsonBytes);

// The member's name or the element's number, as a piece of a JSON pointer.
std::string pointer_piece(std::string_view name);

// What kind of JSON value this is, with its article: "a number", "an object".
std::string kind_of(const nlohmann::json& value);

}  // namespace sim
