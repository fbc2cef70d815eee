#include "ui/app/remembered.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace ui {
namespace {

// What can be folded, and whether it is there.
constexpr std::pair<const char*, bool ViewState::*> kFolds[] = {{"what_if", &ViewState::show_what_if},
                                                                {"tour", &ViewState::show_tour},
                                                                {"hints", &ViewState::show_hints}};

}  // namespace

void read_remembered(const std::string& path, ViewState& view) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return;
    std::ifstream in(path);
    std::string text(4096, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    std::string word;
    for (const char c : text + " ") {
        const bool is_letter = (c >= 'a' && c <= 'z') || c == '_';
        if (is_letter) word += c;
        if (is_letter) continue;
        for (const auto& [name, there] : kFolds)
            if (word == name) view.*there = false;
        word.clear();
    }
}

bool write_remembered(const std::string& path, const ViewState& view) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    std::string all;
    for (const auto& [name, there] : kFolds)
        if (!(view.*there)) all += (all.empty() ? "" : ", ") + std::string(name);
    std::ofstream out(path);
    out << "folded = " << all << "\n";
    out.close();
    return !out.fail();
}

}  // namespace ui
