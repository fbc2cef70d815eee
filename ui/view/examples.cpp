#include "ui/view/examples.h"

#include <algorithm>

#include "sim/scenario/builtin_files.h"

namespace ui {
namespace {

std::vector<ExampleGroup> groups() {
    std::vector<ExampleGroup> all{
        {"First steps", {"two-hogs", "interactive-vs-hog", "lesson-11-convoy", "thread-ring"}},
        {"Lessons",
         {"lesson-2-goodness", "lesson-5-sorted-queue", "lesson-7-who-is-to-blame", "lesson-9-two-arrays",
          "lesson-10-fair-shares", "lesson-11-gaming", "lesson-12-goodness", "lesson-13-your-machine"}},
        {"sched_yield() in 1997",
         {"yield-processes", "yield-threads", "yield-years", "recalc-storm", "lazy-tlb"}},
        {"Servers", {"web-server", "php-fpm", "ajax-polling", "idle-machine", "interrupt-rate"}},
    };
    ExampleGroup others{"Experiments", {}};
    for (const sim::BuiltinFile& file : sim::builtin_files()) {
        std::string_view name = file.name;
        if (name.find('/') != std::string_view::npos || !name.ends_with(".json") || name == "schema.json")
            continue;
        name.remove_suffix(std::string_view(".json").size());
        const bool is_grouped = std::any_of(all.begin(), all.end(), [&](const ExampleGroup& group) {
            return std::find(group.names.begin(), group.names.end(), name) != group.names.end();
        });
        if (!is_grouped) others.names.push_back(name);
    }
    all.push_back(std::move(others));
    return all;
}

}  // namespace

const std::vector<ExampleGroup>& example_groups() {
    static const std::vector<ExampleGroup> all = groups();
    return all;
}

}  // namespace ui
