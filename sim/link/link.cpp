#include "sim/link/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <utility>

#include "sim/base/join.h"
#include "sim/base/problem.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/link/packed_text.h"
#include "sim/os/files.h"
#include "sim/scenario/json_parser.h"

namespace sim {
namespace {

constexpr const char* kFile = "the link";       // used as file name in messages about the link
constexpr const char* kUsualName = "scenario";  // name of an embedded scenario without a name
constexpr std::size_t kLongestTextName = 100;   // bytes

// True if an embedded scenario may have this name. The name must be printable and contain no directory or
// drive, because it may become the name of a file.
bool is_embedded_scenario_name(const std::string& name) {
    if (!os::is_plain_name(name) || name.size() > kLongestTextName || !is_safe_to_show(name)) return false;
    try {
        check_size_and_characters(kFile, name);
        return true;
    } catch (const ScenarioError&) {
        return false;
    }
}

class LinkReader {
  public:
    Link read(std::string_view link) {
        if (const std::size_t mark = link.find('#'); mark != std::string_view::npos)
            link.remove_prefix(mark + 1);
        if (link.size() > kLongestLink)
            throw std::invalid_argument(fmt::format("the link is longer than {} KiB", kLongestLink >> 10));
        while (!link.empty()) {
            const std::string_view part = link.substr(0, link.find('&'));
            link.remove_prefix(std::min(part.size() + 1, link.size()));
            if (!part.empty()) read_parameter(part);
        }
        // If the version is too new, no other problem is reported, because the cause may be a feature of the
        // newer version.
        if (version_ > kLinkVersion)
            throw std::invalid_argument(fmt::format(
                "the link: v={}: the link was made by a newer version of Switchyard; this version reads "
                "links up to v={}",
                version_, kLinkVersion));
        check_parameter_combinations();
        if (!problems_.empty()) throw std::invalid_argument(problems_);
        return std::move(link_);
    }

  private:
    void add_problem(std::string message) {
        if (!problems_.empty()) problems_ += '\n';
        problems_ += Problem{kFile, 0, 0, {}, std::move(message)}.text();
    }

    // Makes the checks that involve several parameters.
    void check_parameter_combinations() {
        if (!link_.at.empty() && link_.switch_number)
            add_problem("'at' and 'switch' specify two positions; use only one of them");
        if (link_.vary.empty() && parameter_needing_vary_ != nullptr)
            add_problem(fmt::format("'{}' is for the laboratory and needs 'vary', which is missing",
                                    parameter_needing_vary_));
        if (link_.text.empty()) return;
        if (!named_) link_.scenario = kUsualName;
        if (!is_embedded_scenario_name(link_.scenario))
            add_problem(
                fmt::format("scenario={}: expected a name for the embedded scenario, without a directory",
                            shorten(link_.scenario)));
    }

    void read_parameter(std::string_view part) {
        const std::size_t equals = part.find('=');
        const std::string name = percent_decoded(part.substr(0, equals));
        const std::string value =
            equals == std::string_view::npos ? std::string() : percent_decoded(part.substr(equals + 1));
        if (read_run_parameter(name, value) || read_display_parameter(name, value) ||
            read_laboratory_parameter(name, value))
            return;
        add_problem(fmt::format("unknown parameter '{}'{}", shorten(name), did_you_mean(name, kNames)));
    }

    // Reads a parameter that selects the run or the position. Returns false for other parameters.
    bool read_run_parameter(const std::string& name, const std::string& value) {
        if (name == "v")
            version_ = parse_number(name, value, 1, UINT64_MAX);
        else if (name == "scenario")
            named_ = true, link_.scenario = value;
        else if (name == "text")
            read_embedded_scenario(value);
        else if (name == "set")
            link_.sets.push_back(value);
        else if (name == "policy")
            link_.policy = value;
        else if (name == "compare")
            link_.compare = value;
        else if (name == "at")
            link_.at = value;
        else if (name == "switch")
            link_.switch_number = parse_number(name, value, 0, UINT64_MAX);
        else
            return false;
        return true;
    }

    // Reads a parameter that selects what the window shows. Returns false for other parameters.
    bool read_display_parameter(const std::string& name, const std::string& value) {
        if (name == "show")
            read_shown_range(value);
        else if (name == "panel")
            link_.panel = parse_choice(name, value, kLinkPanels);
        else if (name == "tab")
            link_.tab = parse_choice(name, value, kLinkTabs);
        else if (name == "theme")
            link_.theme = parse_choice(name, value, kLinkThemes);
        else if (name == "scale")
            link_.scale = static_cast<int>(parse_number(name, value, kSmallestLinkScale, kLargestLinkScale));
        else if (name == "present")
            link_.present = read_flag(name, value);
        else if (name == "bare")
            link_.bare = read_flag(name, value);
        else
            return false;
        return true;
    }

    // Reads a parameter of the laboratory. Returns false for other parameters.
    bool read_laboratory_parameter(const std::string& name, const std::string& value) {
        static constexpr const char* kAll[] = {"with", "until", "measure", "seeds"};
        const auto* const known = std::find(std::begin(kAll), std::end(kAll), name);
        if (known != std::end(kAll)) parameter_needing_vary_ = *known;
        if (name == "vary")
            read_axis(value);
        else if (name == "with")
            link_.with.push_back(value);
        else if (name == "until")
            link_.until = value;
        else if (name == "measure")
            link_.measure = value;
        else if (name == "seeds")
            link_.seeds = static_cast<std::uint32_t>(parse_number(name, value, 1, kMostLinkSeeds));
        else
            return false;
        return true;
    }

    void read_embedded_scenario(const std::string& value) {
        std::string why;
        std::optional<std::string> text = unpack_text(value, kLongestLinkText, why);
        if (text)
            link_.text = std::move(*text);
        else
            add_problem("text: " + why);
    }

    void read_shown_range(const std::string& value) {
        std::string why;
        link_.show = parse_link_time_range(value, why);
        if (!link_.show) add_problem(fmt::format("show={}: {}", shorten(value), why));
    }

    void read_axis(const std::string& value) {
        const std::size_t equals = value.find('=');
        if (equals == 0 || equals == std::string::npos || equals + 1 == value.size())
            add_problem(
                fmt::format("vary={}: expected POINTER=VALUES, like /tasks/0/count=2,4,8", shorten(value)));
        else
            link_.vary = value;
    }

    // Replaces %XX by the byte that it denotes; an invalid %XX remains as it is.
    static std::string percent_decoded(std::string_view text) {
        std::string bytes;
        while (!text.empty()) {
            unsigned byte = 0;
            const char* const end = text.data() + std::min<std::size_t>(3, text.size());
            if (text.front() == '%' && text.size() > 2 &&
                std::from_chars(text.data() + 1, end, byte, 16).ptr == end) {
                bytes += static_cast<char>(byte);
                text.remove_prefix(3);
            } else {
                bytes += text.front();
                text.remove_prefix(1);
            }
        }
        return bytes;
    }

    bool read_flag(const std::string& name, const std::string& value) {
        if (!value.empty())
            add_problem(fmt::format("{}={}: '{}' takes no value", name, shorten(value), name));
        return true;
    }

    std::uint64_t parse_number(const std::string& name, const std::string& value, std::uint64_t least,
                               std::uint64_t most) {
        std::uint64_t number = 0;
        const char* const end = value.data() + value.size();
        const auto [behind, error] = std::from_chars(value.data(), end, number);
        if (error == std::errc{} && behind == end && least <= number && number <= most) return number;
        const std::string range = most < UINT64_MAX ? fmt::format(" from {} to {}", least, most)
                                  : least > 0       ? fmt::format(" of at least {}", least)
                                                    : std::string();
        add_problem(fmt::format("{}={}: expected a number{}", name, shorten(value), range));
        return least;
    }

    std::string parse_choice(const std::string& name, const std::string& value,
                             std::span<const char* const> known) {
        const std::vector<std::string> words(known.begin(), known.end());
        if (std::find(words.begin(), words.end(), value) == words.end())
            add_problem(fmt::format("{}={}: expected one of {}{}", name, shorten(value), join(words, ", "),
                                    did_you_mean(value, words)));
        return value;
    }

    inline static const std::vector<std::string> kNames = {
        "v",   "scenario", "text",  "set",     "policy", "compare", "at",   "switch", "show",    "panel",
        "tab", "theme",    "scale", "present", "bare",   "vary",    "with", "until",  "measure", "seeds"};

    Link link_;
    std::uint64_t version_ = 1;
    bool named_ = false;  // the link contains the parameter `scenario`
    // The most recently read parameter that needs the parameter `vary`; nullptr: none.
    const char* parameter_needing_vary_ = nullptr;
    std::string problems_;
};

std::string percent_encoded(std::string_view value) {
    std::string out;
    for (const char c : value) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           std::string_view("-._~/:,").find(c) != std::string_view::npos;
        out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

}  // namespace

Link parse_link(std::string_view link) { return LinkReader().read(link); }

std::optional<LinkTimeRange> parse_link_time_range(std::string_view text, std::string& why) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        why = "expected a time range, like 0ms..1.5ms";
        return std::nullopt;
    }
    const std::optional<Nanos> begin = parse_time(text.substr(0, dots), why);
    if (!begin) return std::nullopt;
    const std::optional<Nanos> end = parse_time(text.substr(dots + 2), why);
    if (!end) return std::nullopt;
    if (*begin >= *end) {
        why = fmt::format("the start {} of the range is not before the end {}", format_time(*begin),
                          format_time(*end));
        return std::nullopt;
    }
    return LinkTimeRange{*begin, *end};
}

std::string format_link_time_range(const LinkTimeRange& range) {
    return format_time(range.begin) + ".." + format_time(range.end);
}

std::vector<LinkParameter> link_parameters(const Link& link) {
    const Link usual;
    std::vector<LinkParameter> words{{"scenario", link.scenario}};
    const auto add_unusual = [&](const char* name, const auto& value, const auto& other) {
        if (value != other) words.push_back({name, fmt::format("{}", value)});
    };
    for (const std::string& set : link.sets) words.push_back({"set", set});
    add_unusual("policy", link.policy, usual.policy);
    add_unusual("compare", link.compare, usual.compare);
    add_unusual("at", link.at, usual.at);
    if (link.switch_number) words.push_back({"switch", std::to_string(*link.switch_number)});
    if (link.show) words.push_back({"show", format_link_time_range(*link.show)});
    add_unusual("panel", link.panel, usual.panel);
    add_unusual("tab", link.tab, usual.tab);
    add_unusual("theme", link.theme, usual.theme);
    add_unusual("scale", link.scale, usual.scale);
    if (link.present) words.push_back({"present", {}});
    if (link.bare) words.push_back({"bare", {}});
    if (link.vary.empty()) return words;
    words.push_back({"vary", link.vary});
    for (const std::string& policy : link.with) words.push_back({"with", policy});
    add_unusual("until", link.until, usual.until);
    add_unusual("measure", link.measure, usual.measure);
    add_unusual("seeds", link.seeds, usual.seeds);
    return words;
}

std::string format_link(const Link& link) {
    std::string out = fmt::format("#v={}", kLinkVersion);
    for (const LinkParameter& word : link_parameters(link)) {
        out += '&' + word.name;
        if (!word.value.empty()) out += '=' + percent_encoded(word.value);
    }
    // The scenario's text is the last part of the link, because humans cannot read it.
    if (!link.text.empty()) out += "&text=" + pack_text(link.text);
    return out;
}

ScenarioText embedded_scenario(const Link& link) { return {kFile, link.text, {}, link.scenario}; }

void embed_scenario(Link& link, const ScenarioText& scenario) {
    const auto fail = [&](std::string why) {
        throw ScenarioError(
            Problem{scenario.file, 0, 0, {}, "a link cannot contain this scenario: " + std::move(why)});
    };
    if (scenario.text.size() > kLongestLinkText)
        fail(fmt::format("the text is larger than {} KiB", kLongestLinkText >> 10));
    const std::string name =
        scenario.name.empty() ? std::filesystem::path(scenario.file).stem().string() : scenario.name;
    Link with_text = link;
    with_text.scenario = is_embedded_scenario_name(name) ? name : kUsualName;
    with_text.text = scenario.text;
    const MachineSpec machine = parse_scenario(scenario, link.sets).machine;
    std::string why =
        fmt::format("machine '{}' is different without the files in the scenario's directory", machine.name);
    try {
        if (parse_scenario(embedded_scenario(with_text), link.sets).machine == machine) {
            link = std::move(with_text);
            return;
        }
    } catch (const ScenarioError& error) {
        why = error.problems().front().message;
    }
    fail(why);
}

}  // namespace sim
