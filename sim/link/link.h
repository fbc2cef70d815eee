// A place in a run and how it is looked at, as a link to it has it: what stands behind the '#' of the page's
// address, what `switchyard link` prints, and what the window copies.
//
// A link is read by people who were sent it, perhaps by somebody whom they do not know, and perhaps by
// another version. So it says all at once what is wrong with it, and names its own version.
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
inline constexpr std::size_t kLongestLink = 64 << 10;     // in bytes, from the '#' on
inline constexpr std::size_t kLongestSafeLink = 8'000;    // what mail and chat programs leave whole
inline constexpr std::size_t kLongestLinkText = 1 << 20;  // of a scenario that a link carries, in bytes
inline constexpr std::uint32_t kMostLinkSeeds = 1'000;

// The names that a link has for the window's panes, tabs and themes, and how large it shows everything.
inline constexpr const char* kLinkPanels[] = {
    "timeline",   "decision", "run_queue", "context_switch", "tasks", "costs",  "system",
    "invariants", "caches",   "waits",     "laboratory",     "jobs",  "script", "what_if"};
inline constexpr const char* kLinkTabs[] = {"switch", "tasks", "costs",      "system", "invariants",
                                            "caches", "waits", "laboratory", "jobs",   "script"};
inline constexpr const char* kLinkThemes[] = {"dark", "light", "projector"};
inline constexpr int kSmallestLinkScale = 75, kLargestLinkScale = 300;  // per cent

// A stretch of simulated time. begin < end.
struct LinkStretch {
    Nanos begin{}, end{};

    bool operator==(const LinkStretch&) const = default;
};

// "0ms..1.5ms" as a stretch. Returns nothing when it is none, with the reason in `why`.
std::optional<LinkStretch> parse_stretch(std::string_view text, std::string& why);
std::string format_stretch(const LinkStretch& stretch);

struct Link {
    std::string scenario = "yield-processes";  // a built-in one or a file; with a text, only its name
    std::string text;               // the scenario itself, in JSON; empty: `scenario` says where it is
    std::vector<std::string> sets;  // "POINTER=VALUE"
    std::string policy, compare;    // empty: the scenario's own; no second run
    std::string at;                 // as parse_place() takes it
    std::optional<std::uint64_t> switch_number;
    std::optional<LinkStretch> show;  // by the timeline; nothing: what is around the place
    std::string panel, tab;           // alone; at the lower right; empty: none, the usual one
    std::string theme = "dark";
    int scale = 100;  // per cent
    bool present = false;
    bool bare = false;  // the one pane and nothing around it, for a page that has all else

    // What the laboratory is asked for; meaningful with a `vary`.
    std::string vary;               // "POINTER=VALUES"
    std::vector<std::string> with;  // policies; none: those that the laboratory proposes
    std::string until, measure;     // empty: what the laboratory proposes; what fits the workload
    std::uint32_t seeds = 1;

    bool operator==(const Link&) const = default;
};

// The link "#v=1&scenario=yield-processes&switch=37&theme=light", or "" the one in which everything is usual.
// `set` and `with` may be there several times, and %XX is a byte. What stands before a '#' does not matter.
// Throws std::invalid_argument with all that is wrong, a line each.
Link parse_link(std::string_view link);

// What parse_link() makes this of, without what is usual. REQUIRES: a text is none, or carries_text().
std::string to_link(const Link& link);

// What it says in names and values, as to_link() has them and in that order, but for the version and the
// text.
struct LinkWord {
    std::string name, value;
};
std::vector<LinkWord> link_words(const Link& link);

// Whether this program can put a text into a link and read it; otherwise why not, for people.
bool carries_text();
std::string why_no_text();

// The scenario that the link carries, to be read: its problems have places in "the link". REQUIRES: it has a
// text.
ScenarioText carried_scenario(const Link& link);

// Puts a scenario's text into the link, under the name that it has. Throws ScenarioError when it would not be
// the same scenario there, since it needs files of its folder, or is too long. REQUIRES: carries_text(), and
// the scenario can be read with the link's sets.
void carry(Link& link, const ScenarioText& scenario);

}  // namespace sim
