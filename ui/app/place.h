// A place in a run and the look of the window, as the command line names it, and a link.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ui {

class App;

// The names are those of the options of `switchyard-ui`.
struct Place {
    std::string scenario = "yield-processes";
    std::vector<std::string> sets;  // "POINTER=VALUE"
    std::string policy, compare;
    std::string at;
    std::optional<std::uint64_t> switch_number;
    std::string panel, tab, theme = "dark";
    int scale = 100;  // per cent
    bool present = false;
};

// Goes there. Returns whether there is such a place; the model says what was wrong (model().error, or
// .message), and the window stands as near to it as could be.
bool go_to_place(App& app, const Place& place);

// Where the window stands, as far as these names can say it: the values that were changed, the policy, the
// second run's, the event. What was done to the second run, where one is inside schedule() and what of the
// timeline is shown are not in it. REQUIRES: an open scenario.
Place place_of(App& app);

// The place that "#scenario=yield-processes&switch=37&theme=light" names, or "" the one of no options. A name
// is one of `switchyard-ui`'s options, `set` may be there several times, and %XX is a byte. What stands
// before a '#' does not matter. Throws std::invalid_argument with all that is wrong, a line each.
Place parse_link(std::string_view link);

// The link that parse_link() makes this place of, without what is so for no options.
std::string to_link(const Place& place);

}  // namespace ui
