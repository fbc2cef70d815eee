// A link to a position in a run and its display. It is the text after '#' in the page's address; `switchyard
// link` prints it, and the window copies it.
//
// A link may come from an unknown sender or another version. So all its errors are reported at once, and it
// contains its version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario_json.h"

namespace sim {

inline constexpr std::uint64_t kLinkVersion = 1;
inline constexpr std::size_t kLongestLink = 64 << 10;     // bytes, from the '#' on
inline constexpr std::size_t kLongestSafeLink = 8'000;    // bytes that mail and chat programs do not break
inline constexpr std::size_t kLongestLinkText = 1 << 20;  // bytes of an embedded scenario
inline constexpr std::uint32_t kMostLinkSeeds = 1'000;

// The names that links use for the window's panes, tabs and themes; and the smallest and largest scale.
inline constexpr const char* kLinkPanels[] = {
    "timeline", "decision", "run_queue",  "animation", "context_switch", "tasks",
    "costs",    "system",   "invariants", "caches",    "waits",          "laboratory",
    "jobs",     "script",   "workload",   "scenario",  "gantt",          "what_if"};
inline constexpr const char* kLinkTabs[] = {"switch", "tasks", "costs",      "system", "invariants",
                                            "caches", "waits", "laboratory", "jobs",   "script"};
inline constexpr const char* kLinkThemes[] = {"dark", "light", "projector"};
inline constexpr int kSmallestLinkScale = 75, kLargestLinkScale = 300;  // percent

// A range of simulated time. Invariant: begin < end.
struct LinkRange {
    Nanos begin{}, end{};

    bool operator==(const LinkRange&) const = default;
};

// Parses "0ms..1.5ms"; std::nullopt, with the reason in `why`, on failure.
std::optional<LinkRange> parse_link_range(std::string_view text, std::string& why);
std::string format_link_range(const LinkRange& range);

struct Link {
    std::string scenario = "yield-processes";  // built-in name or file; only a name if there is a text
    std::string text;                          // the scenario itself, as JSON; empty: see `scenario`
    std::vector<std::string> sets;             // "POINTER=VALUE"
    std::string policy, compare;               // empty: the scenario's policy; no second run
    std::string at;                            // in the syntax of parse_place()
    std::optional<std::uint64_t> switch_number;
    std::optional<LinkRange> show;  // range shown by the timeline; std::nullopt: around the position
    std::string panel, tab;         // the only pane; the pane on the tabs; empty: none, the default
    std::string theme = "dark";
    int scale = 100;  // percent
    bool present = false;
    bool bare = false;  // only this pane, for embedding in a page

    // Parameters of the laboratory; unused without `vary`.
    std::string vary;               // "POINTER=VALUES"
    std::vector<std::string> with;  // policies; empty: those that the laboratory proposes
    std::string until, measure;     // empty: the laboratory's end; a measure that suits the workload
    std::uint32_t seeds = 1;

    bool operator==(const Link&) const = default;
};

// Parses "#v=1&scenario=yield-processes&switch=37&theme=light"; "" is the default link. `set` and `with` may
// be repeated, and %XX is a byte. Text before a '#' is ignored. Throws std::invalid_argument with all errors,
// a line each.
Link parse_link(std::string_view link);

// The inverse of parse_link(). Omits values equal to their defaults, except the scenario. REQUIRES: the
// text is empty, or can_embed_text().
std::string to_link(const Link& link);

// The names and values of a link in the order of to_link(), without version and text.
struct LinkWord {
    std::string name, value;
};
std::vector<LinkWord> link_words(const Link& link);

// can_embed_text(): whether this program can read and write embedded texts. no_embedding_reason(): the
// human-readable reason if it cannot.
bool can_embed_text();
std::string no_embedding_reason();

// The embedded scenario, to be parsed; its problems refer to "the link". REQUIRES: the link has a text.
ScenarioText embedded_scenario(const Link& link);

// Embeds a scenario in the link, under the scenario's name. Throws ScenarioError if the scenario is too
// long, or if without the files of its directory it would be a different scenario. REQUIRES:
// can_embed_text(), and the scenario can be read with the link's sets.
void embed_scenario(Link& link, const ScenarioText& scenario);

}  // namespace sim
