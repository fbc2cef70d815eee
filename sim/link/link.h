// A link specifies a scenario, a position in its run, and what the window shows. It is the text after '#'
// in the address of the simulator's web page. `switchyard link` prints links; the window copies them.
//
// A link may contain errors or come from another version of Switchyard. So parse_link() reports all errors at
// once, and a link contains the version of its format.
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
inline constexpr std::size_t kLongestLink = 64 << 10;   // maximum length in bytes, counted from the '#' on
inline constexpr std::size_t kLongestSafeLink = 8'000;  // bytes; mail programs may break longer links
// Maximum length in bytes of an embedded scenario, before compression.
inline constexpr std::size_t kLongestLinkText = 1 << 20;
inline constexpr std::uint32_t kMostLinkSeeds = 1'000;

// The values of the parameters `panel`, `tab` and `theme`, and the limits of `scale`.
inline constexpr const char* kLinkPanels[] = {
    "timeline", "decision", "run_queue",  "animation", "context_switch", "tasks",
    "costs",    "system",   "invariants", "caches",    "waits",          "laboratory",
    "jobs",     "script",   "workload",   "scenario",  "gantt",          "what_if"};
inline constexpr const char* kLinkTabs[] = {"switch", "tasks", "costs",      "system", "invariants",
                                            "caches", "waits", "laboratory", "jobs",   "script"};
inline constexpr const char* kLinkThemes[] = {"dark", "light", "projector"};
inline constexpr int kSmallestLinkScale = 75, kLargestLinkScale = 300;  // percent

// A range of simulated time. Invariant: begin < end.
struct LinkTimeRange {
    Nanos begin{}, end{};

    bool operator==(const LinkTimeRange&) const = default;
};

// Parses a range such as "0ms..1.5ms". On failure, returns std::nullopt and sets `why` to the reason.
std::optional<LinkTimeRange> parse_link_time_range(std::string_view text, std::string& why);
std::string format_link_time_range(const LinkTimeRange& range);

struct Link {
    // The name of a built-in scenario, or a file. If `text` is not empty, this member is only the name of the
    // embedded scenario.
    std::string scenario = "yield-processes";
    std::string text;               // the embedded scenario, as JSON; empty: none
    std::vector<std::string> sets;  // changed values of the scenario, as "POINTER=VALUE"
    std::string policy;             // empty: the scenario's policy
    std::string compare;            // policy of the second run; empty: no second run
    std::string at;                 // position, in the syntax of parse_seek_target()
    // The position right after the switch with this number.
    std::optional<std::uint64_t> switch_number;
    std::optional<LinkTimeRange> show;  // range shown by the timeline; nullopt: a range around the position
    std::string panel;                  // the only pane in the window; empty: all panes of the layout
    std::string tab;                    // the tab to open; empty: the default
    std::string theme = "dark";
    int scale = 100;       // percent
    bool present = false;  // opens the presenter's view
    bool bare = false;     // shows the pane `panel` without controls, for embedding in a web page

    // Parameters of the laboratory; unused without `vary`.
    std::string vary;               // the parameter to vary, as "POINTER=VALUES"
    std::vector<std::string> with;  // policies; empty: those that the laboratory proposes
    std::string until;              // end of each run; empty: the end that the laboratory proposes
    std::string measure;            // empty: a measure that suits the workload
    std::uint32_t seeds = 1;        // number of seeds

    bool operator==(const Link&) const = default;
};

// Parses "#v=1&scenario=yield-processes&switch=37&theme=light"; "" is the default link. `set` and `with` may
// be repeated. %XX stands for the byte with the hexadecimal value XX. Text before a '#' is ignored. Throws
// std::invalid_argument with all errors, one per line.
Link parse_link(std::string_view link);

// The inverse of parse_link(). Omits parameters with default values, except `scenario`. REQUIRES:
// `link.text` is empty, or can_embed_text() is true.
std::string format_link(const Link& link);

struct LinkParameter {
    std::string name, value;
};

// The parameters of a link in the order of format_link(), without the version and the embedded scenario.
std::vector<LinkParameter> link_parameters(const Link& link);

// can_embed_text(): whether this program can read and write embedded texts. no_embedding_reason(): the
// human-readable reason if it cannot.
bool can_embed_text();
std::string no_embedding_reason();

// The embedded scenario, as input of parse_scenario(). Its error messages have "the link" as file name.
// REQUIRES: `link.text` is not empty.
ScenarioText embedded_scenario(const Link& link);

// Embeds a scenario in the link, under the scenario's name. Throws ScenarioError if the scenario is too long,
// or if its machine depends on files in its directory, because a link cannot contain these files. REQUIRES:
// can_embed_text() is true, and the scenario is valid with the values in `link.sets`.
void embed_scenario(Link& link, const ScenarioText& scenario);

}  // namespace sim
