#include "ui/app/place.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "ui/app/app.h"
#include "ui/view/tabs.h"

namespace ui {
namespace {

constexpr std::size_t kLongestLink = 64 << 10;

// Reads the names and values of a link, and keeps what is wrong with them.
class LinkReader {
  public:
    Place read(std::string_view link) {
        if (const std::size_t mark = link.find('#'); mark != std::string_view::npos)
            link.remove_prefix(mark + 1);
        if (link.size() > kLongestLink)
            throw std::invalid_argument(fmt::format("the link is longer than {} KiB", kLongestLink >> 10));
        while (!link.empty()) {
            const std::string_view part = link.substr(0, link.find('&'));
            link.remove_prefix(std::min(part.size() + 1, link.size()));
            if (!part.empty()) take(part);
        }
        if (!place_.at.empty() && place_.switch_number)
            wrong("'at' and 'switch' are two places: which one is meant?");
        if (!problems_.empty()) throw std::invalid_argument(problems_);
        return std::move(place_);
    }

  private:
    void wrong(std::string what) {
        if (!problems_.empty()) problems_ += '\n';
        problems_ += sim::Problem{"the link", 0, 0, {}, std::move(what)}.text();
    }

    void take(std::string_view part) {
        const std::size_t equals = part.find('=');
        const std::string name = decoded(part.substr(0, equals));
        const std::string value =
            equals == std::string_view::npos ? std::string() : decoded(part.substr(equals + 1));
        if (name == "scenario") {
            place_.scenario = value;
        } else if (name == "set") {
            place_.sets.push_back(value);
        } else if (name == "policy") {
            place_.policy = value;
        } else if (name == "compare") {
            place_.compare = value;
        } else if (name == "at") {
            place_.at = value;
        } else if (name == "switch") {
            place_.switch_number = number(name, value, 0, UINT64_MAX);
        } else if (name == "panel") {
            std::vector<std::string> known;
            for (const Panel& panel : panels()) known.emplace_back(panel.id);
            place_.panel = one_of(name, value, known);
        } else if (name == "tab") {
            std::vector<std::string> known;
            for (const TabInfo& tab : kTabs) known.emplace_back(tab.name);
            place_.tab = one_of(name, value, known);
        } else if (name == "theme") {
            std::vector<std::string> known;
            for (const Theme& theme : themes()) known.push_back(theme.name);
            place_.theme = one_of(name, value, known);
        } else if (name == "scale") {
            place_.scale = static_cast<int>(number(name, value, 75, 300));
        } else if (name == "present" && value.empty()) {
            place_.present = true;
        } else {
            wrong(
                fmt::format("nothing is called '{}'{}", sim::shorten(name), sim::did_you_mean(name, kNames)));
        }
    }

    // Bytes that %XX stands for, and what is no such thing as it is.
    std::string decoded(std::string_view text) {
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

    std::uint64_t number(const std::string& name, const std::string& value, std::uint64_t least,
                         std::uint64_t most) {
        std::uint64_t number = 0;
        const char* const end = value.data() + value.size();
        const auto [behind, error] = std::from_chars(value.data(), end, number);
        if (error == std::errc{} && behind == end && least <= number && number <= most) return number;
        wrong(most == UINT64_MAX ? fmt::format("{}={}: a number is expected", name, sim::shorten(value))
                                 : fmt::format("{}={}: a number from {} to {} is expected", name,
                                               sim::shorten(value), least, most));
        return least;
    }

    std::string one_of(const std::string& name, const std::string& value,
                       const std::vector<std::string>& known) {
        if (std::find(known.begin(), known.end(), value) == known.end())
            wrong(fmt::format("{}={}: expected one of {}{}", name, sim::shorten(value),
                              fmt::join(known, ", "), sim::did_you_mean(value, known)));
        return value;
    }

    inline static const std::vector<std::string> kNames = {
        "scenario", "set", "policy", "compare", "at", "switch", "panel", "tab", "theme", "scale", "present"};

    Place place_;
    std::string problems_;
};

// Right after an event, which need not be the last one of its instant; or an instant at which nothing has
// happened yet.
std::string words_for_position(const Run& run) {
    const sim::Globals& here = run.session().machine().globals();
    sim::Moment behind_event = run.recording().beginning();
    run.recording().state_after(here.events, behind_event);
    return here.events > 0 && behind_event.machine.globals().now == here.now
               ? fmt::format("event {}", here.events)
               : sim::format_time(here.now);
}

}  // namespace

bool go_to_place(App& app, const Place& place) {
    app.set_theme(place.theme);
    app.set_scale(static_cast<float>(place.scale) / 100);
    Control& control = app.control();
    if (!control.open(place.scenario, place.policy)) return false;
    for (const std::string& set : place.sets) {
        const std::size_t equals = set.find('=');
        if (equals == std::string::npos) {
            control.open(place.scenario, place.policy);
            control.set_error(fmt::format("--set {}: expected POINTER=VALUE", set));
            return false;
        }
        control.set_value(set.substr(0, equals), set.substr(equals + 1));
        if (!app.model().error.empty()) return false;
    }
    if (!place.sets.empty()) control.navigator().go_to_start();
    if (!place.compare.empty()) control.comparison().compare_with(place.compare);
    if (!app.model().error.empty()) return false;
    if (!place.at.empty() && !control.navigator().go_to(place.at)) return false;
    if (place.switch_number && !control.navigator().go_to(fmt::format("switch {}", *place.switch_number)))
        return false;
    if (const TabInfo* tab = tab_named(place.tab)) show_tab(app.view(), tab->tab);
    if (!place.panel.empty()) app.show_alone(place.panel);
    if (place.present) app.toggle_presenting();
    // Who asks for a place of their own does not stand at a stop of the tour.
    if (!place.sets.empty() || !place.compare.empty() || !place.at.empty() || place.switch_number)
        app.view().stop.reset();
    return true;
}

Place place_of(App& app) {
    const Model& model = app.model();
    const ViewState& view = app.view();
    Place place;
    const sim::ScenarioText& source = app.control().source_text();
    const sim::BuiltinFile* const builtin = source.folder.empty() ? sim::find_builtin(source.file) : nullptr;
    place.scenario = builtin == nullptr ? source.file : source.file.substr(0, source.file.rfind('.'));
    place.sets = model.sets;
    const sim::Scenario& scenario = model.a->scenario();
    const std::string policy = model.a->recording().policy().spec();
    if (policy != sim::make_policy(scenario.policy, scenario.cpus).spec()) place.policy = policy;
    if (model.b != nullptr) place.compare = model.b->recording().policy().spec();
    place.at = words_for_position(*model.a);
    place.panel = view.alone;
    place.tab = info_of(view.tab).name;
    place.theme = app.theme().name;
    place.scale = static_cast<int>(std::lround(100 * app.scale()));
    place.present = view.presenting;
    return place;
}

std::string to_link(const Place& place) {
    const Place usual;
    std::string link;
    const auto add = [&](std::string_view name, std::string_view value) {
        link += fmt::format("{}{}{}", link.empty() ? "#" : "&", name, value.empty() ? "" : "=");
        for (const char c : value) {
            const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                               std::string_view("-._~/:,").find(c) != std::string_view::npos;
            link += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    };
    const auto add_unusual = [&](std::string_view name, const std::string& value, const std::string& other) {
        if (value != other) add(name, value);
    };
    add("scenario", place.scenario);
    for (const std::string& set : place.sets) add("set", set);
    add_unusual("policy", place.policy, usual.policy);
    add_unusual("compare", place.compare, usual.compare);
    add_unusual("at", place.at, usual.at);
    if (place.switch_number) add("switch", std::to_string(*place.switch_number));
    add_unusual("panel", place.panel, usual.panel);
    add_unusual("tab", place.tab, usual.tab);
    add_unusual("theme", place.theme, usual.theme);
    if (place.scale != usual.scale) add("scale", std::to_string(place.scale));
    if (place.present) add("present", {});
    return link;
}

Place parse_link(std::string_view link) { return LinkReader().read(link); }

}  // namespace ui
