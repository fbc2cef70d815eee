// The table of layers in docs/architecture.md, held against the #include lines of the sources.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>

namespace {

namespace fs = std::filesystem;

const std::map<std::string, int> kLayer{{"types", 0},
                                        {"problem", 0},
                                        {"suggest", 0},
                                        {"whole_file", 0},
                                        {"rng", 1},
                                        {"event_queue", 1},
                                        {"ready_index", 1},
                                        {"decision", 1},
                                        {"machine", 2},
                                        {"cost_model", 2},
                                        {"trace", 2},
                                        {"run_queue", 3},
                                        {"wait_table", 3},
                                        {"address_space", 3},
                                        {"policy", 3},
                                        {"scenario", 3},
                                        {"statistics", 3},
                                        {"policies/", 4},
                                        {"action", 4},
                                        {"residency", 4},
                                        {"engine", 5},
                                        {"driver", 5},
                                        {"explain", 5},
                                        {"json_text", 5},
                                        {"program_reader", 5},
                                        {"summary", 5},
                                        {"intervention", 5},
                                        {"actions/", 6},
                                        {"scenario_json", 6},
                                        {"invariants", 6},
                                        {"lockstep", 6},
                                        {"vectors", 6},
                                        {"overview", 6},
                                        {"decision_view", 6},
                                        {"recording", 7},
                                        {"decision_steps", 7},
                                        {"switch_steps", 7},
                                        {"session", 8},
                                        {"timeline", 8},
                                        {"range_statistics", 8},
                                        {"pseudo_code", 1},
                                        {"place", 1},
                                        {"zoom", 8},
                                        {"difference", 8},
                                        {"vmstat", 7},
                                        {"quiz/", 8},
                                        {"lab/", 9},
                                        {"cli/", 10},
                                        {"plot/", 0},
                                        {"figures/", 9}};

// The layer of a file named as in an #include: "sim/policies/linux_2_0.h". -1 when the table does not know
// it.
int layer_of(const std::string& path) {
    const std::string name = path.substr(std::string("sim/").size());
    const std::size_t slash = name.find('/');
    const auto place =
        kLayer.find(slash == std::string::npos ? name.substr(0, name.rfind('.')) : name.substr(0, slash + 1));
    return place == kLayer.end() ? -1 : place->second;
}

TEST(Architecture, IncludesPointDownTheLayers) {
    const fs::path root = fs::path(SWITCHYARD_SOURCE_DIR);
    const std::regex include("^#include \"([^\"]+)\"");
    int seen = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "sim")) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".h" && extension != ".cpp") continue;
        const std::string self = fs::relative(entry.path(), root).generic_string();
        const int layer = layer_of(self);
        EXPECT_GE(layer, 0) << self << " has no layer; docs/architecture.md and this test list them";
        std::ifstream in(entry.path());
        for (std::string line; std::getline(in, line);) {
            std::smatch match;
            if (!std::regex_search(line, match, include)) continue;
            const std::string other = match[1];
            ASSERT_TRUE(other.starts_with("sim/")) << self << " includes " << other;
            EXPECT_LE(layer_of(other), layer) << self << " includes " << other << ", which is above it";
            ++seen;
        }
    }
    EXPECT_GT(seen, 100);
}

TEST(Architecture, TheTableInTheDocumentsIsThisOne) {
    std::ifstream in(fs::path(SWITCHYARD_SOURCE_DIR) / "docs/architecture.md");
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    for (const auto& [name, layer] : kLayer) {
        const std::regex row("\\| " + std::to_string(layer) + " \\| [^|]*\\b" +
                             name.substr(0, name.find('/')) + "\\b");
        EXPECT_TRUE(std::regex_search(text, row))
            << name << " is not in row " << layer << " of docs/architecture.md";
    }
}

TEST(Architecture, OnlyTheLoaderTheSummaryAndTheCommandLineKnowJson) {
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(SWITCHYARD_SOURCE_DIR) / "sim")) {
        const std::string name = fs::relative(entry.path(), SWITCHYARD_SOURCE_DIR).generic_string();
        if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
        const int layer = layer_of(name);
        const bool may = layer >= 9 || name.find("json") != std::string::npos ||
                         name.starts_with("sim/summary") || name.starts_with("sim/vectors") ||
                         name.starts_with("sim/program_reader") || name.starts_with("sim/actions/");
        if (may) continue;
        std::ifstream in(entry.path());
        const std::string text((std::istreambuf_iterator<char>(in)), {});
        EXPECT_EQ(text.find("nlohmann"), std::string::npos) << name;
    }
}

}  // namespace
