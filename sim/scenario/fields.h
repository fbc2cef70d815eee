// Reads JSON values of expected kinds and reports problems.
//
// After a problem, reading continues: the function that found the problem returns a harmless default.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/problems.h"

namespace sim {

// The key of a member that an object may have, and the function object that reads the member's value. A Field
// contains only a pointer to the function object, so the function object must outlive the Field. A temporary
// function object may be passed if the Field is used in the same full expression.
class Field {
  public:
    // Calls read(value) if the key is present. If the key is absent and `missing` is not null, reports
    // `missing` as a problem of the object.
    template <class Read>
    requires std::is_invocable_v<Read&, const JsonValue&> Field(std::string_view key, const Read& read,
                                                                const char* missing = nullptr)
        : key_(key), missing_(missing), reader_(&read), read_([](const void* reader, const JsonValue& value) {
              (*static_cast<const Read*>(reader))(value);
          }) {}
    // Stores in `kept` a pointer to the member's value, or null if the key is absent. The caller reads this
    // value later, after the values that it depends on.
    Field(std::string_view key, const JsonValue*& kept) : key_(key), kept_(&kept) {}

    std::string_view key() const { return key_; }
    void read(const JsonValue& object, Problems& problems) const;

  private:
    std::string_view key_;
    const char* missing_ = nullptr;
    const JsonValue** kept_ = nullptr;
    const void* reader_ = nullptr;
    void (*read_)(const void* reader, const JsonValue& value) = nullptr;
};

// The text of a value in a message: the value itself if it is short, otherwise its kind.
std::string text_in_message(const JsonValue& value);

class ValueReader {
  public:
    struct ObjectReadResult {
        bool is_object = false;
        bool members_good = false;  // no problem was found while the fields were read
        explicit operator bool() const { return is_object; }
    };

    explicit ValueReader(Problems& problems) : problems_(problems) {}

    // Reports a problem if the value is not an object. Reports a problem for each key that matches no field.
    // Then reads the fields in the order of `fields`.
    ObjectReadResult object(const JsonValue& value, std::span<const Field> fields);
    ObjectReadResult object(const JsonValue& value, std::initializer_list<Field> fields) {
        return object(value, std::span(fields.begin(), fields.size()));
    }
    // Reports the key of this member as unknown.
    void report_unknown_key(const JsonValue& member, const std::vector<std::string>& known);

    // REQUIRES for all functions below: least <= most.

    std::string string(const JsonValue& value, std::size_t most = 4096);
    // Reads a string that must not contain line ends.
    std::string single_line(const JsonValue& value, std::size_t most = 4096);
    // Reads a name that can be typed, printed and searched for: without spaces and control characters.
    // Returns an empty string after a problem.
    std::string name(const JsonValue& value);
    // Reads the key of a member, and checks the key as name() checks a string.
    std::string name_from_key(const JsonValue& member);
    std::int64_t integer(const JsonValue& value, std::int64_t least, std::int64_t most);
    std::uint32_t count(const JsonValue& value, std::uint32_t least, std::uint32_t most) {
        return static_cast<std::uint32_t>(integer(value, least, most));
    }
    Nanos time(const JsonValue& value, Nanos least = {}, Nanos most = kHorizon - Nanos{1});
    // Reads a size in bytes from a string like "64KiB".
    std::uint32_t byte_size(const JsonValue& value, std::uint32_t least, std::uint32_t most);
    bool boolean(const JsonValue& value);
    double number(const JsonValue& value);
    // Reads one of the words in `choices` and returns the value paired with it. After a problem, returns
    // the value of the first pair.
    template <class T>
    T choice(const JsonValue& value, const std::vector<std::pair<std::string, T>>& choices) {
        std::vector<std::string> words;
        words.reserve(choices.size());
        for (const auto& [word, meaning] : choices) {
            if (value.equals(word)) return meaning;
            words.push_back(word);
        }
        refuse_choice(value, words);
        return choices.front().second;
    }

  private:
    std::string check_name(const JsonValue& value, std::string text);
    void refuse_choice(const JsonValue& value, const std::vector<std::string>& words);

    Problems& problems_;
};

}  // namespace sim
