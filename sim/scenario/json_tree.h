// JSON in which each value knows where it was written: file, line and column of itself and of its key.
//
// The text is read once. Comments are allowed. What nlohmann/json does not do is why this is our own: bounds
// on size, nesting and number of values before anything is built, keys given twice, characters that are not
// UTF-8 or not shown, messages that name the mistake rather than the token, and places for them.
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
inline constexpr std::size_t kMaxScenarioBytes = std::size_t{32}
                                                 << 20;  // of a scenario, whose programs may be words
inline constexpr std::size_t kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonValues = 400'000;  // each takes up to 200 bytes

// Null, a boolean or a number. Whole numbers stay exact as long as they fit into 64 bits.
using JsonScalar = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double>;

// A value of a JsonTree, which it lives and dies with.
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

    // REQUIRES: a string.
    std::string_view text() const { return text_; }
    bool is(std::string_view text) const { return is_string() && text_ == text; }

    // The elements of an array, or the members of an object ordered by key; of a key given twice, the last.
    // Empty for other values.
    std::span<const JsonValue* const> children() const { return {children_.data(), children_.size()}; }
    std::size_t size() const { return children_.size(); }
    // REQUIRES: i < size().
    const JsonValue& operator[](std::size_t i) const { return *children_[i]; }
    // The member of that key; null when there is none or this is no object.
    const JsonValue* find(std::string_view key) const;
    // The member or the element at this piece of a JSON pointer; null when there is none.
    const JsonValue* at(std::string_view piece) const { return child(piece); }

    // What leads to it in the value around it: the member's key; empty for an element or the root.
    std::string_view key() const { return key_; }
    // The JSON pointer to it. One of more than `most` bytes ends with the beginning of the piece in which
    // they are exceeded.
    std::string pointer(std::size_t most = std::string::npos) const;
    // The "--set ..." that put it there, or what it is part of; null when the file did.
    const std::string* set_by() const;

    // Where it is written, and where its key is: offsets into the tree's text(). REQUIRES: set_by() is null.
    std::size_t begin() const { return begin_; }
    std::size_t end() const { return end_; }
    std::size_t key_begin() const { return key_begin_; }

    // The same without places.
    nlohmann::json plain() const;

  private:
    friend class JsonParser;
    friend class JsonTree;

    // Where the member of that key is, or belongs.
    std::vector<JsonValue*>::const_iterator place_of(std::string_view key) const;
    JsonValue* child(std::string_view piece) const;

    Kind kind_ = Kind::null;
    std::uint32_t index_ = 0;              // of an element
    std::uint32_t begin_ = 0, end_ = 0;    // where it is written: offsets into its text
    std::uint32_t key_begin_ = 0;          // of a member: the same for its key
    const std::string* set_by_ = nullptr;  // the "--set ..." that put just it there
    const JsonValue* parent_ = nullptr;    // null for the root
    std::string_view key_, text_;
    JsonScalar scalar_;
    std::vector<JsonValue*> children_;
};

// What values and their strings live in.
struct JsonStorage {
    std::deque<JsonValue> values;
    std::deque<std::string> strings;
};

// What UTF-8 text may begin with, and nobody needs.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// How the members of an object are taken.
enum class JsonMembers : std::uint8_t {
    by_key,      // each key once, and a comma only between two
    as_written,  // in their order, also those of a key given again; a comma too many is none: JSON of rt-app
};

class JsonTree {
  public:
    // Parses at most so many bytes. `file` is only named in messages. Throws ScenarioError; keys given twice,
    // of which the last counts, and text that is not shown go to `noted` instead when there is one.
    // With members as they are written, find() is not to be asked.
    JsonTree(std::string file, std::string text, std::vector<Problem>* noted = nullptr,
             std::size_t most = kMaxJsonBytes, JsonMembers members = JsonMembers::by_key);
    JsonTree(const JsonTree&) = delete;
    JsonTree& operator=(const JsonTree&) = delete;

    const std::string& file() const { return file_; }
    // What was parsed, without the byte order mark that it may have begun with.
    const std::string& text() const { return text_; }
    const JsonValue& root() const { return *root_; }

    // Replaces or adds a value, as `--set POINTER=VALUE` asks: VALUE is JSON, or else a string. Throws
    // ScenarioError.
    void set(const std::string& assignment);

    // A problem with a value of this tree, or with the key of it. It has the value's file, line and column;
    // for what came from the command line, the option instead.
    Problem problem_at(const JsonValue& value, std::string message, bool at_key = false) const;
    // A problem with the value at this pointer, which is placed at the nearest one around it when it is
    // missing.
    Problem problem_at(const std::string& pointer, std::string message) const;

  private:
    JsonValue& add_member(JsonValue& object, std::string_view key);
    void open_machine();

    std::string file_, text_;
    JsonStorage storage_;
    JsonValue* root_ = nullptr;
};

// The member's name or the element's number, as a piece of a JSON pointer.
std::string pointer_piece(std::string_view name);
// The pieces of a JSON pointer, as they are meant; none for what is no pointer.
std::optional<std::vector<std::string>> pointer_pieces(const std::string& pointer);

// The number of an element as a piece of a pointer has it; none for what is no number, or a larger one than
// any.
std::optional<std::size_t> element_index(std::string_view piece);

// What "POINTER=VALUE" says: the pieces of the pointer, and the value as JSON (what is none is a string).
struct Assignment {
    std::vector<std::string> pieces;
    std::string json;
};
// Throws ScenarioError for what is none.
Assignment read_assignment(const std::string& assignment);

// What kind of JSON value this is, with its article: "a number", "an object".
std::string kind_of(const JsonValue& value);

}  // namespace sim
