#include "sim/base/place.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"

namespace sim {

const char* to_string(StepKind kind) {
    switch (kind) {
        case StepKind::event:
            return "event";
        case StepKind::decision:
            return "decision";
        case StepKind::context_switch:
            return "switch";
        case StepKind::tick:
            return "tick";
        case StepKind::yield:
            return "yield";
        case StepKind::recalculation:
            return "recalculation";
    }
    return "?";
}

std::optional<Place> parse_place(std::string_view text, std::string& why) {
    const std::size_t blank = text.find_first_of(" \t");
    const std::string word(text.substr(0, blank));
    std::vector<std::string> words;
    for (const StepKind kind : kStepKinds) {
        words.emplace_back(to_string(kind));
        if (word != to_string(kind)) continue;
        std::string_view digits = blank == std::string_view::npos ? std::string_view{} : text.substr(blank);
        while (!digits.empty() && (digits.front() == ' ' || digits.front() == '\t')) digits.remove_prefix(1);
        Place place{.kind = kind};
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), place.n);
        if (error == std::errc{} && end == digits.data() + digits.size() && place.n > 0) return place;
        why = error == std::errc::result_out_of_range
                  ? fmt::format("the number of the {} is too large: {}", word, shorten(digits, 40))
                  : fmt::format("{} needs a number from 1, like \"{} 37\"", word, word);
        return std::nullopt;
    }
    if (const std::optional<Nanos> time = parse_time(text, why)) return Place{.kind = {}, .time = *time};
    // The text is not a time, so the message suggests one of the kinds.
    if (!word.empty() && (word.front() < '0' || word.front() > '9') && word.front() != '-') {
        const std::string hint = did_you_mean(word, words);
        why = fmt::format("'{}' is not a position in a run{}", shorten(text, 40),
                          hint.empty() ? "; write it like \"12.5ms\" or \"switch 37\"" : hint);
    }
    return std::nullopt;
}

}  // namespace sim
