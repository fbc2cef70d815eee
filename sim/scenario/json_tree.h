// JSON values with their positions in the source: file, line and column of the value and of its key.
//
// The text is parsed once; comments are allowed. Reasons for not using nlohmann/json:
// - limits on size, nesting and number of values, checked before anything is built
// - detection of duplicate keys, invalid UTF-8 and hidden characters
// - messages that describe the mistake and contain its position
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/problem.h"

namespace sim {

inline constexpr std::size_t kMaxJsonBytes = std::size_t{4} << 20;
// Scenario files may be larger than other JSON files, because they may contain long programs as text.
inline constexpr std::size_t kMaxScenarioBytes = std::size_t{32} << 20;
inline constexpr std::size_t kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonValues = 400'000;  // each value takes up to 200 bytes

inline constexpr const char* kDefaultMachine = "ideal";  // machine of a scenario that specifies no machine

// Null, a boolean or a number. Integers that fit into 64 bits are exact.
using JsonScalar = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double>;

// A JSON value. The JsonTree that contains it owns it.
class JsonValue {
  public:
    enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

    Kind kind() const { return kind_; }
    bool is_null() const { return kind_ == Kind::null; }
    bool is_boolean() const { return kind_ == Kind::boolean; }
    bool is_number() const { return kind_ == Kind::number; }
    bool is_string() const { return kind_ == Kind::string; }
    bool is_array() const { return kind_ == Kind::array; }
    bool is_object() const { return kind_ == Kind::object; }

    // REQUIRES: the value is a string.
    std::string_view text() const { return text_; }
    bool equals(std::string_view text) const { return is_string() && text_ == text; }

    // The elements of an array, or the members of an object sorted by key (of several members with the same
    // key, only the last). Empty for other values.
    std::span<const JsonValue* const> children() const { return {children_.data(), children_.size()}; }
    std::size_t size() const { return children_.size(); }
    // REQUIRES: i < size().
    const JsonValue& operator[](std::size_t i) const { return *children_[i]; }
    // The member with that key; null if there is none or this is not an object.
    const JsonValue* find(std::string_view key) const;
    // The member or element at this segment of a JSON pointer; null if there is none.
    const JsonValue* at(std::string_view segment) const { return child(segment); }

    // The key of a member; empty for an element or the root.
    std::string_view key() const { return key_; }
    // The key in the source; differs from key() after JsonTree::rename().
    std::string_view written_key() const { return written_key_.empty() ? key_ : written_key_; }
    // The JSON pointer to this value, with keys as in the source. Only the first `most` bytes of a key are
    // used. If the text is longer than `most` bytes after a segment, the following segments are omitted.
    std::string pointer(std::size_t most = std::string::npos) const;
    // The "--set ..." option that set this value or a value that contains it; null if the value comes from
    // the file.
    const std::string* option_that_set() const;

    // Offsets of the value and its key in the tree's text(). REQUIRES: option_that_set() is null.
    std::size_t value_begin() const { return begin_; }
    std::size_t value_end() const { return end_; }
    std::size_t key_begin() const { return key_begin_; }

    // The value as nlohmann::json, without positions.
    nlohmann::json to_nlohmann_json() const;

  private:
    friend class JsonParser;
    friend class JsonTree;

    // The position of the member with that key. If there is none, the position at which to insert it.
    std::vector<JsonValue*>::const_iterator member_position(std::string_view key) const;
    JsonValue* child(std::string_view segment) const;

    Kind kind_ = Kind::null;
    std::uint32_t index_ = 0;              // position of an element in its array
    std::uint32_t begin_ = 0, end_ = 0;    // offsets into the text that contains the value
    std::uint32_t key_begin_ = 0;          // offset of a member's key
    const std::string* set_by_ = nullptr;  // the "--set ..." option that set exactly this value
    const JsonValue* parent_ = nullptr;    // null for the root
    std::string_view key_, text_;
    std::string_view written_key_;  // empty: key_
    JsonScalar scalar_;
    std::vector<JsonValue*> children_;
};

// Owns the values and their strings.
struct JsonStorage {
    std::deque<JsonValue> values;
    std::deque<std::string> strings;
};

// The byte order mark, an optional prefix of UTF-8 text. JsonTree removes it.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// How the parser treats the members of an object.
enum class JsonMemberOrder : std::uint8_t {
    by_key,  // sorted; no duplicate keys or trailing commas
    // In file order, as in rt-app's JSON: duplicate keys, trailing commas and keys without a value (null) are
    // allowed.
    as_written,
};

// A parsed "POINTER=VALUE": the segments of the pointer, and the value as JSON. A value that is not JSON
// becomes a string.
struct Assignment {
    std::vector<std::string> pieces;
    std::string json;
};
// Throws ScenarioError if the assignment is invalid.
Assignment read_assignment(const std::string& assignment);
// The name of this assignment in messages: "--set POINTER=VALUE", shortened if it is long.
std::string text_of_set_option(const std::string& assignment);

class JsonTree {
  public:
    // Parses the text, which may have at most `most` bytes. `file` is used in messages only. Throws
    // ScenarioError. Two kinds of problems are not thrown if `noted` is not null, but appended to `noted`:
    // duplicate keys (the last member with the key is used), and hidden characters from escape sequences.
    // With JsonMemberOrder::as_written, find() must not be called.
    JsonTree(std::string file, std::string text, std::vector<Problem>* noted = nullptr,
             std::size_t most = kMaxJsonBytes, JsonMemberOrder members = JsonMemberOrder::by_key);
    JsonTree(const JsonTree&) = delete;
    JsonTree& operator=(const JsonTree&) = delete;

    const std::string& file() const { return file_; }
    // The parsed text, without a byte order mark.
    const std::string& text() const { return text_; }
    const JsonValue& root() const { return *root_; }

    // Replaces or adds a value, like `--set POINTER=VALUE`. If VALUE is not JSON, it is used as a string.
    // Throws ScenarioError.
    void set(const std::string& assignment) { set(assignment, read_assignment(assignment)); }
    // Like set(assignment), for an assignment that has already been parsed to `change`. `assignment` is used
    // in messages only.
    void set(const std::string& assignment, const Assignment& change);

    // Changes the key of a member of this tree to `new_key`. If its object already has a member with the key
    // `new_key`, removes `member` and returns false. REQUIRES: `new_key` outlives the tree.
    bool rename(const JsonValue& member, std::string_view new_key);

    // A problem with a value of this tree. Its position is that of the value, or of the value's key if
    // `at_key`. For a value from the command line, the position is the name of the option.
    Problem problem_at(const JsonValue& value, std::string message, bool at_key = false) const;
    // A problem with the value at this pointer. If the value is missing, the position is that of the nearest
    // enclosing value.
    Problem problem_at(const std::string& pointer, std::string message) const;

  private:
    JsonValue& add_member(JsonValue& object, std::string_view key);
    void expand_machine_name();

    std::string file_, text_;
    JsonStorage storage_;
    JsonValue* root_ = nullptr;
};

// Escapes a member's name or element's number as a segment of a JSON pointer.
std::string escaped_pointer_segment(std::string_view name);
// The unescaped segments of a JSON pointer; nullopt if it is invalid.
std::optional<std::vector<std::string>> json_pointer_segments(const std::string& pointer);

// The element number in a pointer segment; nullopt if it is not a number or too large.
std::optional<std::size_t> element_index(std::string_view segment);

// The kind of a value, with its article: "a number", "an object".
std::string kind_of(const JsonValue& value);

}  // namespace sim
