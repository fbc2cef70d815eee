// Reads values of expected kinds, noting what is otherwise.
//
// A problem is noted with its place and reading goes on; what is returned after one is a harmless stand-in.
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

// One key that an object may have, and what becomes of its value. Refers to its reader: it is good until the
// end of the statement that makes it, or as long as a reader with a name of its own.
class Field {
  public:
    // read(value) is called when the key is there; otherwise `missing`, if there is one, is a problem with
    // the object.
    template <class Read>
    requires std::is_invocable_v<Read&, const JsonValue&> Field(std::string_view key, const Read& read,
                                                                const char* missing = nullptr)
        : key_(key), missing_(missing), reader_(&read), read_([](const void* reader, const JsonValue& value) {
              (*static_cast<const Read*>(reader))(value);
          }) {}
    // The value is kept to be read later, after what it depends on; null when the key is not there.
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

// A value for a message: itself when it is short, or else what it is.
std::string shown(const JsonValue& value);

class Values {
  public:
    // What became of an object.
    struct ObjectRead {
        bool is_object = false;
        bool members_good = false;  // no problem was noted while its fields were read
        explicit operator bool() const { return is_object; }
    };

    explicit Values(Problems& problems) : problems_(problems) {}

    // Refuses what is no object, then keys that no field states, then reads the fields as they come.
    ObjectRead object(const JsonValue& value, std::span<const Field> fields);
    ObjectRead object(const JsonValue& value, std::initializer_list<Field> fields) {
        return object(value, std::span(fields.begin(), fields.size()));
    }
    // Refuses the key of this member.
    void unknown_key(const JsonValue& member, const std::vector<std::string>& known);

    // REQUIRES of all that follow: least <= most.

    std::string string(const JsonValue& value, std::size_t most = 4096);
    // The same for a text of one line.
    std::string line(const JsonValue& value, std::size_t most = 4096);
    // A word that can be typed, printed and looked for: no blanks, no control characters. Empty when it is
    // none.
    std::string name(const JsonValue& value);
    // The same for a member's key.
    std::string key_name(const JsonValue& member);
    std::int64_t integer(const JsonValue& value, std::int64_t least, std::int64_t most);
    std::uint32_t count(const JsonValue& value, std::uint32_t least, std::uint32_t most) {
        return static_cast<std::uint32_t>(integer(value, least, most));
    }
    Nanos time(const JsonValue& value, Nanos least = {}, Nanos most = kHorizon - Nanos{1});
    // "64KiB" in bytes.
    std::uint32_t size(const JsonValue& value, std::uint32_t least, std::uint32_t most);
    bool boolean(const JsonValue& value);
    double number(const JsonValue& value);
    // What the word stands for. After a problem, the first of them.
    template <class T>
    T choice(const JsonValue& value, const std::vector<std::pair<std::string, T>>& choices) {
        std::vector<std::string> words;
        words.reserve(choices.size());
        for (const auto& [word, meaning] : choices) {
            if (value.is(word)) return meaning;
            words.push_back(word);
        }
        refuse_choice(value, words);
        return choices.front().second;
    }

  private:
    std::string checked_name(const JsonValue& at, std::string text);
    void refuse_choice(const JsonValue& value, const std::vector<std::string>& words);

    Problems& problems_;
};

}  // namespace sim
