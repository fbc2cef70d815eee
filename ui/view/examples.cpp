#include "ui/view/examples.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "sim/scenario/builtin_files.h"

namespace ui {
namespace {

std::vector<ExampleGroup> make_example_groups() {
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

std::vector<std::string> scenarios_in(const std::string& folder) {
    namespace fs = std::filesystem;
    constexpr int kMostEntries = 1'000;
    std::vector<std::string> files;
    std::error_code error;
    int entries = 0;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
         !error && entry != end && entries < kMostEntries; entry.increment(error), ++entries) {
        const fs::path name = entry->path().filename();
        if (name.extension() != ".json" || !entry->is_regular_file(error)) continue;
        // A comment may precede the format name of the file, so the first 4 KiB are searched for the name.
        std::array<char, 4'096> start{};
        std::ifstream(entry->path(), std::ios::binary).read(start.data(), start.size() - 1);
        if (std::string_view(start.data()).find("switchyard-scenario/") != std::string_view::npos)
            files.push_back((fs::path(folder) / name).string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

const std::vector<ExampleGroup>& example_groups() {
    static const std::vector<ExampleGroup> all = make_example_groups();
    return all;
}

}  // namespace ui
