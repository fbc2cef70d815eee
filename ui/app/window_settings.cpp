#include "ui/app/window_settings.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

#include "sim/base/atomic_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "ui/view/layouts.h"

namespace ui {
namespace {

constexpr std::string_view kFolded = "folded = ", kRecent = "recent = ", kWhatIf = "shown = what_if";
constexpr std::string_view kLayout = "layout = ", kMore = "more = ";
constexpr std::size_t kLongestLine = 4096;  // in bytes; longer lines are ignored
constexpr std::size_t kMaxBytes = 100 * kLongestLine;

// The parts of the window that can be hidden, and the members that state whether they are shown.
constexpr std::pair<std::string_view, bool ViewState::*> kHideableParts[] = {
    {"tour", &ViewState::show_tour}, {"hints", &ViewState::show_hints}};

void hide_parts(ViewState& view, std::string_view names) {
    while (!names.empty()) {
        const std::size_t comma = std::min(names.find(", "), names.size());
        for (const auto& [name, there] : kHideableParts)
            if (names.substr(0, comma) == name) view.*there = false;
        names.remove_prefix(std::min(comma + 2, names.size()));
    }
}

void read_layout(ViewState& view, std::string_view name) {
    if (name == "all") view.layout = WindowLayout::kernel;
    if (const LayoutInfo* const layout = layout_named(name)) view.layout = layout->layout;
}

}  // namespace

void add_recent_file(std::vector<std::string>& recent_files, const std::string& path) {
    if (!sim::is_safe_to_show(path)) return;  // for example, a path with a newline
    std::erase(recent_files, path);
    recent_files.insert(recent_files.begin(), path);
    if (recent_files.size() > kMostRecent) recent_files.resize(kMostRecent);
}

bool read_window_settings(const std::string& path, ViewState& view, std::vector<std::string>& recent_files,
                          bool& starts_on_start_screen) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return !error;
    std::istringstream in;
    try {
        in.str(sim::read_text_file(path, kMaxBytes));
    } catch (const sim::ScenarioError&) {
        return false;
    }
    std::string line;
    while (std::getline(in, line)) {
        if (line.size() > kLongestLine) continue;
        const std::string_view text = line;
        if (text.starts_with(kFolded)) hide_parts(view, text.substr(kFolded.size()));
        if (text == kWhatIf) view.show_what_if = true;
        if (text.starts_with(kLayout)) starts_on_start_screen = false;
        for (const std::string_view key : {kLayout, kMore})
            if (text.starts_with(key)) read_layout(view, text.substr(key.size()));
        if (text.starts_with(kRecent) && recent_files.size() < kMostRecent)
            recent_files.emplace_back(text.substr(kRecent.size()));
    }
    return true;
}

bool write_window_settings(const std::string& path, const ViewState& view,
                           const std::vector<std::string>& recent_files, bool starts_on_start_screen) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    std::string folded;
    for (const auto& [name, there] : kHideableParts)
        if (!(view.*there)) folded += (folded.empty() ? "" : ", ") + std::string(name);
    std::string text = std::string(kFolded) + folded + "\n";
    if (view.show_what_if) text += std::string(kWhatIf) + "\n";
    text += std::string(starts_on_start_screen ? kMore : kLayout) + info_of(view.layout).name + "\n";
    for (const std::string& file : recent_files) text += std::string(kRecent) + file + "\n";
    try {
        sim::write_atomically(path, text);
    } catch (const std::exception&) {
        return false;
    }
    return true;
}

}  // namespace ui
