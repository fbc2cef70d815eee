// JSON that remembers where it was written: a document, and the line and column of each of its values.
//
// Parsing is nlohmann/json's, with comments allowed; this adds what that library does not do: bounds on size,
// nesting and number of values before anything is built, keys given twice, characters that are not UTF-8,
// messages that name the mistake rather than the token, and places for them.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"

namespace sim {

inline constexpr std::size_t kMaxJsonBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonValues = 400'000;  // each takes up to 200 bytes

class JsonText {
  public:
    // Parses. `file` is only named in messages. Throws ScenarioError; keys given twice go to `given_twice`
    // instead when there is one, and the last of them counts.
    JsonText(std::string file, std::string text, std::vector<Problem>* given_twice = nullptr);

    const std::string& file() const { return file_; }
    const nlohmann::json& value() const { return value_; }

    // Replaces or adds a value, as `--set POINTER=VALUE` asks: VALUE is JSON, or else a string. Throws
    // ScenarioError.
    void set(const std::string& assignment);

    // A problem with the value at this pointer, or with the key of it.
    Problem problem_at(const std::string& pointer, std::string message, bool at_key = false) const;

    // Gives each of these problems, which have a pointer, its file, line and column: those of the value, or
    // of the nearest one around it when it is missing, or of its key. REQUIRES: problems and at_key are
    // equally long.
    void place(std::span<Problem> problems, const std::vector<bool>& at_key) const;

  private:
    std::string file_, text_;
    nlohmann::json value_;
    std::map<std::string, std::string> set_;  // pointer -> the "--set ..." that put it there
};

// All of a file, or of standard input for "-". Refuses what is no regular file, too large, or changes
// meanwhile. Throws ScenarioError.
std::string read_text_file(const std::string& path, std::size_t most = kMaxJsonBytes);

// The member's name or the element's number, as a piece of a JSON pointer.
std::string pointer_piece(std::string_view name);

// What kind of JSON value this is, with its article: "a number", "an object".
std::string kind_of(const nlohmann::json& value);

}  // namespace sim
