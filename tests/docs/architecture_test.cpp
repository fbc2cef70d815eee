// Checks the #include lines of the sources against the table of directories in
// docs/explanation/architecture.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace architecture_test {

namespace fs = std::filesystem;

const fs::path kRoot(SWITCHYARD_SOURCE_DIR);

std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Returns the row number of each directory, from table rows such as "| 2 | `sim/core/`, `sim/plot/` | ...
// |".
std::map<std::string, int> rows_by_directory() {
    std::map<std::string, int> rows;
    const std::string page = text_of(kRoot / "docs/explanation/architecture.md");
    const std::regex row(R"(\n\| (\d+) \| ([^|]*)\|)"), directory("`((?:sim|ui)/[a-z_/]+)/`");
    for (std::sregex_iterator r(page.begin(), page.end(), row), end; r != end; ++r) {
        const std::string names = (*r)[2];
        for (std::sregex_iterator n(names.begin(), names.end(), directory); n != end; ++n)
            EXPECT_TRUE(rows.emplace((*n)[1], std::stoi((*r)[1])).second) << (*n)[1] << " is there twice";
    }
    return rows;
}

// Returns the directory of the table that contains a path: "sim/core" for "sim/core/machine.h". If a
// directory of the table contains another one, the path belongs to the inner one.
std::string directory_of(const std::string& path) {
    static const std::map<std::string, int> rows = rows_by_directory();
    std::string directory = path;
    do {
        directory = directory.substr(0, directory.rfind('/'));
    } while (directory.find('/') != std::string::npos && !rows.contains(directory));
    return directory;
}

struct Source {
    std::string path;                   // for example "sim/core/machine.cpp"
    std::vector<std::string> includes;  // included paths without quotes and brackets
};

std::vector<Source> sources() {
    std::vector<Source> all;
    const std::regex include("^#include [\"<]([^\">]+)[\">]");
    for (const char* top : {"sim", "ui"}) {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / top)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            Source& source = all.emplace_back();
            source.path = fs::relative(entry.path(), kRoot).generic_string();
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);)
                if (std::smatch match; std::regex_search(line, match, include))
                    source.includes.push_back(match[1]);
        }
    }
    return all;
}

TEST(Architecture, ModulesMatchTheTable) {
    const std::map<std::string, int> rows = rows_by_directory();
    std::map<std::string, int> files;
    for (const Source& source : sources()) {
        const std::string directory = directory_of(source.path);
        EXPECT_TRUE(rows.contains(directory))
            << source.path << " is in no directory of the table in docs/explanation/architecture.md";
        ++files[directory];
    }
    for (const auto& [directory, row] : rows)
        EXPECT_GT(files[directory], 0)
            << directory << " in row " << row << " of docs/explanation/architecture.md has no files";
}

TEST(Architecture, ModulesIncludeOnlyRowsAbove) {
    const std::map<std::string, int> rows = rows_by_directory();
    int seen = 0;
    for (const Source& source : sources()) {
        const std::string directory = directory_of(source.path);
        for (const std::string& other : source.includes) {
            const bool ours = other.starts_with("sim/") || other.starts_with("ui/");
            if (!ours) continue;
            ++seen;
            EXPECT_TRUE(fs::exists(kRoot / other)) << source.path << " includes " << other;
            if (directory_of(other) == directory) continue;
            ASSERT_TRUE(rows.contains(directory) && rows.contains(directory_of(other)))
                << source.path << " includes " << other;
            EXPECT_LT(rows.at(directory_of(other)), rows.at(directory))
                << source.path << " includes " << other
                << ", which is not above it in the table of docs/explanation/architecture.md";
            EXPECT_FALSE(directory.starts_with("sim/") && other.starts_with("ui/"))
                << source.path << " includes " << other << ": sim/ knows nothing of ui/";
        }
    }
    EXPECT_GT(seen, 500);
}

// The directories that may use each library. Libraries that are not listed may be used everywhere.
TEST(Architecture, LibrariesStayInTheirModules) {
    const std::map<std::string, std::vector<std::string>> allowed{
        {"imgui", {"ui/platform", "ui/panels", "ui/app", "ui/web"}},
        {"SDL", {"ui/platform", "ui/app", "ui/web"}},
        {"CLI/", {"sim/command_line"}},
        {"stb", {"sim/link", "sim/plot", "ui/platform", "ui/web"}},
        // JSON is used only at the edge of the program: the simulation itself does not depend on it.
        {"nlohmann",
         {"sim/scenario", "sim/check", "sim/lab", "sim/quiz", "sim/grade", "sim/trace_io", "sim/calibrate",
          "sim/cli", "sim/command_line", "ui/platform", "ui/control"}},
    };
    for (const Source& source : sources()) {
        for (const std::string& other : source.includes) {
            for (const auto& [library, directories] : allowed) {
                if (!other.starts_with(library)) continue;
                EXPECT_NE(std::find(directories.begin(), directories.end(), directory_of(source.path)),
                          directories.end())
                    << source.path << " includes " << other;
            }
        }
    }
}

// An include of CLI11 adds seconds to the compilation of a file.
TEST(Architecture, OnlyParserIncludesCli11) {
    std::vector<std::string> files;
    for (const Source& source : sources())
        for (const std::string& other : source.includes)
            if (other.starts_with("CLI/")) files.push_back(source.path);
    EXPECT_EQ(files, std::vector<std::string>{"sim/command_line/parse.cpp"});
}

// Differences between versions of a library are handled in one place (docs/how-to/building.md).
TEST(Architecture, VersionMacrosStayInVersionFiles) {
    const std::map<std::string, std::string> files{{"IMGUI_VERSION_NUM", "ui/platform/imgui_versions."},
                                                   {"LUA_VERSION_", "sim/script/lua_versions."},
                                                   {"FMT_VERSION", "none"},
                                                   {"CLI11_VERSION", "none"},
                                                   {"SDL_VERSION_ATLEAST", "ui/platform/sdl_versions."}};
    for (const Source& source : sources()) {
        std::ifstream in(kRoot / source.path);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        for (const auto& [version, file] : files)
            EXPECT_TRUE(text.find(version) == std::string::npos || source.path.starts_with(file))
                << source.path << " uses " << version;
        for (const std::string& header : source.includes)
            EXPECT_TRUE(!header.starts_with("lua.") || source.path.starts_with("sim/script/lua_versions."))
                << source.path << " includes " << header;
    }
}

// The C++ library of Debian's Emscripten has no algorithms in std::ranges. Code that uses them fails to
// build only for browsers, and that build reports the error only after ten minutes.
TEST(Architecture, SourcesDoNotUseStdRanges) {
    for (const Source& source : sources()) {
        std::ifstream in(kRoot / source.path);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        EXPECT_FALSE(text.empty()) << source.path;
        const std::size_t found = text.find("std::ranges::");
        if (found != std::string::npos)
            ADD_FAILURE() << source.path << ":"
                          << 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(found),
                                            '\n')
                          << " uses std::ranges; use the algorithm of std";
    }
}

}  // namespace architecture_test
