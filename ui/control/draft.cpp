#include "ui/control/draft.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/atomic_file.h"
#include "sim/base/problem.h"
#include "sim/scenario/json_tree.h"

namespace ui {
namespace {

constexpr const char* kFormat = "switchyard-draft/1";

}  // namespace

void Draft::write(const sim::ScenarioText& text) {
    if (path_.empty()) return;
    const nlohmann::json json{{"format", kFormat},
                              {"file", text.file},
                              {"folder", text.folder},
                              {"name", text.name},
                              {"scenario", text.text}};
    try {
        std::string content = json.dump() + "\n";
        if (is_there_ && content == written_) return;
        std::error_code error;
        std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
        sim::write_atomically(path_, content);
        written_ = std::move(content);
        is_there_ = true;
    } catch (const std::exception&) {  // disk full, or a name that is not UTF-8: no draft is written
    }
}

void Draft::remove_file() {
    if (!std::exchange(is_there_, false)) return;
    std::error_code error;
    std::filesystem::remove(path_, error);
    written_.clear();
}

std::optional<sim::ScenarioText> Draft::read() {
    std::error_code error;
    if (path_.empty() || !std::filesystem::exists(path_, error)) return std::nullopt;
    try {
        const nlohmann::json json =
            nlohmann::json::parse(sim::read_text_file(path_, 2 * sim::kMaxScenarioBytes));
        if (json.at("format") != kFormat) return std::nullopt;
        sim::ScenarioText text{.file = json.at("file"),
                               .text = json.at("scenario"),
                               .folder = json.at("folder"),
                               .name = json.at("name")};
        sim::parse_scenario(text);
        is_there_ = true;
        return text;
    } catch (const std::exception&) {  // the draft's file is damaged or of another version
        return std::nullopt;
    }
}

}  // namespace ui
