#include "ui/control/bookmarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/units.h"
#include "sim/scenario/json_text.h"
#include "ui/view/format.h"

namespace ui {

using sim::Nanos;

void Bookmarks::toggle() {
    if (!state_.is_open()) return;
    const Nanos now = state_.a().now();
    if (std::erase_if(state_.view.bookmarks, [&](const Bookmark& b) { return b.time == now; }) > 0) return;
    add(fmt::format("switch {}", group_digits(state_.a().session().machine().globals().switches)));
}

void Bookmarks::add(const std::string& note) {
    const Nanos now = state_.a().now();
    std::vector<Bookmark>& all = state_.view.bookmarks;
    if (all.size() >= kMost)
        return state_.say(
            fmt::format("There are already {} bookmarks, the maximum: remove one first.", kMost));
    const auto place =
        std::upper_bound(all.begin(), all.end(), now, [](Nanos t, const Bookmark& b) { return t < b.time; });
    all.insert(place, {now, note, state_.a().id(), state_.a().session().machine().globals().events});
}

bool Bookmarks::has_bookmark_at_position() const {
    const std::vector<Bookmark>& all = state_.view.bookmarks;
    return std::any_of(all.begin(), all.end(), [&](const Bookmark& b) { return b.time == state_.a().now(); });
}

bool Bookmarks::report_if_empty() {
    if (!state_.view.bookmarks.empty()) return false;
    state_.say(fmt::format("There are no bookmarks: {} adds one at the position.",
                           state_.services.key_of_command("mark.bookmark")));
    return true;
}

void Bookmarks::go_to_next(int direction) {
    if (!state_.is_open() || report_if_empty()) return;
    const Nanos now = state_.a().now();
    const Bookmark* target = nullptr;
    for (const Bookmark& b : state_.view.bookmarks) {
        if (direction > 0 && b.time > now && target == nullptr) target = &b;
        if (direction < 0 && b.time < now) target = &b;
    }
    if (target == nullptr) {
        state_.say(direction > 0 ? "There is no bookmark after this position."
                                 : "There is no bookmark before this position.");
        return;
    }
    // The number of events of a bookmark is only valid in the run of the bookmark. In another run, only the
    // time is used.
    navigator_.go_to(RunPosition{target->time, target->run == state_.a().id() ? target->events : 0});
    history_.keep_position_visible();
    state_.say(fmt::format("Bookmark: {}", target->note));
}

void Bookmarks::copy_as_tour() {
    if (!state_.is_open() || report_if_empty()) return;
    std::string stops;
    for (const Bookmark& b : state_.view.bookmarks) {
        const bool in_this_run = b.run == state_.a().id() && b.events > 0;
        const std::string at = in_this_run ? fmt::format("event {}", b.events) : sim::format_time(b.time);
        stops += fmt::format(
            "{}    {}", stops.empty() ? "" : ",\n",
            sim::json_text(nlohmann::ordered_json{{"at", at}, {"title", b.note}, {"caption", ""}}));
    }
    state_.services.set_clipboard(fmt::format("\"tour\": [\n{}\n]", stops));
    state_.say(fmt::format("Copied a tour of {}: paste the tour into the scenario's file.",
                           pluralize(state_.view.bookmarks.size(), "stop", "s")));
}

}  // namespace ui
