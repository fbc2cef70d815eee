// Structure-aware mutator of JSON: removes, duplicates, moves and inserts members and elements, and
// replaces values, so that most results parse. One mutation in four, and every mutation of invalid JSON, is
// made by libFuzzer, which changes bytes: this produces comments and broken files.
//
// In files with one value per line (recorded decisions, results), mutates one line. The first
// SWITCHYARD_FUZZ_PREFIX bytes are the target's selector, not JSON.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/base/rng.h"
#include "sim/core/action.h"
#include "sim/core/policy.h"
#include "sim/scenario/builtin_files.h"
#include "tests/support/hostile_text.h"

#ifndef SWITCHYARD_FUZZ_PREFIX
#define SWITCHYARD_FUZZ_PREFIX 0
#endif

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using json = nlohmann::ordered_json;

class Mutator {
  public:
    explicit Mutator(unsigned seed) : stream_(seed) {}

    std::uint64_t below(std::uint64_t bound) { return sim::random_below(stream_, bound); }
    template <class List>
    const auto& one_of(const List& list) {
        return list[below(std::size(list))];
    }

    // Returns a random value of the tree.
    json& any(json& root) {
        std::vector<json*> values{&root};
        for (std::size_t i = 0; i < values.size() && i < 10'000; ++i)
            for (json& below_it : *values[i])
                if (values[i]->is_structured()) values.push_back(&below_it);
        return *values[below(values.size())];
    }

    // Changes one random value. `other` is a source of values to insert.
    void mutate(json& root, json other) {
        json& place = any(root);
        switch (below(8)) {
            case 0:
                place = new_value();
                break;
            case 1:
                if (place.is_structured() && !place.empty()) take_out(place);
                break;
            case 2:
                if (place.is_array() && !place.empty() && place.size() < 64)
                    place.insert(place.begin() + static_cast<std::ptrdiff_t>(below(place.size() + 1)),
                                 json(place[below(place.size())]));
                break;
            case 3:
                place = any(other);
                break;
            case 4:
                if (place.is_object())
                    place[key()] = below(2) == 0 ? new_value() : any(other);
                else if (place.is_array() && place.size() < 64)
                    place.insert(place.begin() + static_cast<std::ptrdiff_t>(below(place.size() + 1)),
                                 below(2) == 0 ? step() : any(other));
                break;
            case 5:
                if (place.is_string()) place = mutated(place.get<std::string>());
                break;
            case 6:
                if (place.is_number()) place = number();
                break;
            default:
                if (place.is_array() && place.size() > 1)
                    std::swap(place[below(place.size())], place[below(place.size())]);
        }
    }

  private:
    void take_out(json& place) {
        auto at = place.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(below(place.size())));
        place.erase(at);
    }

    json number() {
        constexpr std::array<std::int64_t, 14> kNumbers{
            -1, 0, 1, 2, 3, 20, 40, 64, 100, 255, 1'000, 65'000, 4294967296, INT64_MAX - 1};
        return one_of(kNumbers) + static_cast<std::int64_t>(below(2));
    }

    std::string time() {
        constexpr std::array kUnits{"ns", "us", "ms", "s"};
        return std::to_string(below(2) == 0 ? below(5) : below(2'000)) + one_of(kUnits);
    }

    std::string word() {
        static const std::vector<std::string> kHostile = hostile_texts(400);
        constexpr std::array kSizes{"4B", "64B", "4KiB", "64KiB", "1MiB", "1GiB"};
        constexpr std::array kNames{"a", "b", "c",       "A",    "B",  "idle", "l",
                                    "p", "d", "forever", "fifo", "rr", "other"};
        switch (below(7)) {
            case 0:
                return one_of(kHostile);
            case 1:
                return one_of(sim::policies()).name;
            case 2:
                return one_of(sim::builtin_file_names("machines/"));
            case 3:
                return one_of(kSizes);
            case 4:
                return time();
            case 5:
                return one_of(sim::actions()).name;
            default:
                return one_of(kNames);
        }
    }

    std::string key() {
        constexpr std::array kKeys{
            "format",     "title",  "question",  "hint",     "machine", "cpus",        "policy",
            "seed",       "until",  "max_tasks", "locks",    "pipes",   "devices",     "tasks",
            "provenance", "expect", "tour",      "name",     "count",   "mm",          "priority",
            "nice",       "class",  "affinity",  "start",    "program", "working_set", "rt_priority",
            "loop",       "steps",  "at",        "caption",  "pointer", "between",     "service_time",
            "costs",      "tlb",    "cache",     "base",     "hz",      "exponential", "uniform",
            "timer",      "period", "late",      "deadline", "tickets"};
        return below(3) == 0 ? word() : one_of(kKeys);
    }

    json step() {
        const std::string name = one_of(sim::actions()).name;
        switch (below(4)) {
            case 0:
                return name;
            case 1:
                return json{{name, time()}};
            case 2:
                return json{{name, word()}};
            default:
                return json{{"loop", below(2) == 0 ? json("forever") : json(below(5))},
                            {"steps", json::array({step_of(name)})}};
        }
    }
    json step_of(const std::string& name) {
        return json{{name, below(2) == 0 ? json(time()) : json(word())}};
    }

    json new_value() {
        switch (below(8)) {
            case 0:
                return nullptr;
            case 1:
                return below(2) == 0;
            case 2:
                return number();
            case 3:
                return json::array();
            case 4:
                return json::object();
            case 5:
                return step();
            default:
                return word();
        }
    }

    std::string mutated(std::string text) {
        const std::size_t size = text.size();
        text.resize(size + 16);
        text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
        return text;
    }

    std::uint64_t stream_;
};

struct Line {
    std::size_t begin, end;
};

// Returns a random line. If the text is a single JSON value, which may span several lines, returns the
// entire text.
Line chosen_line(std::string_view text, Mutator& random) {
    if (json::accept(text, true)) return {0, text.size()};
    std::vector<Line> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back({begin, end});
        begin = end + 1;
    }
    return lines.empty() ? Line{0, 0} : random.one_of(lines);
}

// Replaces `line` of `text` by `value` and writes the result after the prefix. Returns the size, or 0 if it
// exceeds `most`.
std::size_t put(std::uint8_t* data, std::size_t most, const std::string& text, Line line, const json& value) {
    const std::string all = text.substr(0, line.begin) +
                            value.dump(-1, ' ', false, json::error_handler_t::replace) +
                            text.substr(line.end);
    if (all.size() + SWITCHYARD_FUZZ_PREFIX > most) return 0;
    std::memcpy(data + SWITCHYARD_FUZZ_PREFIX, all.data(), all.size());
    return all.size() + SWITCHYARD_FUZZ_PREFIX;
}

json parsed(std::string_view text) { return json::parse(text, nullptr, false, true); }

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
    Mutator random(seed);
    if (size > SWITCHYARD_FUZZ_PREFIX && random.below(4) > 0) {
        const std::string text(reinterpret_cast<const char*>(data) + SWITCHYARD_FUZZ_PREFIX,
                               size - SWITCHYARD_FUZZ_PREFIX);
        const Line line = chosen_line(text, random);
        json value = parsed(std::string_view(text).substr(line.begin, line.end - line.begin));
        if (!value.is_discarded()) {
            for (std::uint64_t n = 1 + random.below(3); n > 0; --n) random.mutate(value, value);
            if (const std::size_t written = put(data, most, text, line, value)) return written;
        }
    }
    return LLVMFuzzerMutate(data, size, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size, std::uint8_t* out,
                                                 std::size_t most, unsigned seed) {
    if (a_size <= SWITCHYARD_FUZZ_PREFIX || b_size <= SWITCHYARD_FUZZ_PREFIX || a_size > most) return 0;
    Mutator random(seed);
    const auto text_of = [](const std::uint8_t* data, std::size_t size) {
        return std::string(reinterpret_cast<const char*>(data) + SWITCHYARD_FUZZ_PREFIX,
                           size - SWITCHYARD_FUZZ_PREFIX);
    };
    const std::string text = text_of(a, a_size), other = text_of(b, b_size);
    const Line line = chosen_line(text, random), from = chosen_line(other, random);
    json value = parsed(std::string_view(text).substr(line.begin, line.end - line.begin));
    json source = parsed(std::string_view(other).substr(from.begin, from.end - from.begin));
    if (value.is_discarded() || source.is_discarded()) return 0;
    random.any(value) = random.any(source);
    std::memcpy(out, a, SWITCHYARD_FUZZ_PREFIX);
    return put(out, most, text, line, value);
}
