#include "sim/base/seek_target.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"

namespace sim {

const char* to_string(StepEventKind kind) {
    switch (kind) {
        case StepEventKind::event:
            return "event";
        case StepEventKind::decision:
            return "decision";
        case StepEventKind::context_switch:
            return "switch";
        case StepEventKind::tick:
            return "tick";
        case StepEventKind::yield:
            return "yield";
        case StepEventKind::recalculation:
            return "recalculation";
    }
    return "?";
}

std::optional<SeekTarget> parse_seek_target(std::string_view text, std::string& why) {
    const std::size_t blank = text.find_first_of(" \t");
    const std::string word(text.substr(0, blank));
    std::vector<std::string> words;
    for (const StepEventKind kind : kStepKinds) {
        words.emplace_back(to_string(kind));
        if (word != to_string(kind)) continue;
        std::string_view digits = blank == std::string_view::npos ? std::string_view{} : text.substr(blank);
        while (!digits.empty() && (digits.front() == ' ' || digits.front() == '\t')) digits.remove_prefix(1);
        SeekTarget place{.kind = kind};
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), place.n);
        if (error == std::errc{} && end == digits.data() + digits.size() && place.n > 0) return place;
        why = error == std::errc::result_out_of_range
                  ? fmt::format("the number of the {} is too large: {}", word, shorten(digits, 40))
                  : fmt::format("expected a number from 1 after '{}', like \"{} 37\"", word, word);
        return std::nullopt;
    }
    if (const std::optional<Nanos> time = parse_time(text, why)) return SeekTarget{.kind = {}, .time = *time};
    // The text does not look like a time, so the message suggests a kind of event.
    if (!word.empty() && (word.front() < '0' || word.front() > '9') && word.front() != '-') {
        const std::string hint = did_you_mean(word, words);
        why = fmt::format("'{}' is not a position in a run{}", shorten(text, 40),
                          hint.empty() ? "; write it like \"12.5ms\" or \"switch 37\"" : hint);
    }
    return std::nullopt;
}

}  // namespace sim
