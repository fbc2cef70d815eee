// The rooms of docs/architecture.md, held against the #include lines of the sources: the page's table is the
// rule.
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

// The first two folders of a path below the root: "sim/core" of "sim/core/machine.h".
std::string room_of(const std::string& path) {
    const std::size_t first = path.find('/');
    const std::size_t second = first == std::string::npos ? first : path.find('/', first + 1);
    return second == std::string::npos ? std::string{} : path.substr(0, second);
}

// From the rows "| 2 | `sim/core`, `sim/plot` | ... |" of the page: the row of each room.
std::map<std::string, int> rows_of_rooms() {
    std::map<std::string, int> rows;
    const std::string page = text_of(kRoot / "docs/architecture.md");
    const std::regex row(R"(\n\| (\d+) \| ([^|]*)\|)"), room("`((?:sim|ui)/[a-z]+)/`");
    for (std::sregex_iterator r(page.begin(), page.end(), row), end; r != end; ++r) {
        const std::string names = (*r)[2];
        for (std::sregex_iterator n(names.begin(), names.end(), room); n != end; ++n)
            EXPECT_TRUE(rows.emplace((*n)[1], std::stoi((*r)[1])).second) << (*n)[1] << " is there twice";
    }
    return rows;
}

struct Source {
    std::string path;                   // "sim/core/machine.cpp"
    std::vector<std::string> includes;  // all of them, without quotes and angle brackets
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

TEST(Architecture, EveryFileIsInARoomOfTheTableAndEveryRoomHasFiles) {
    const std::map<std::string, int> rows = rows_of_rooms();
    std::map<std::string, int> files;
    for (const Source& source : sources()) {
        const std::string room = room_of(source.path);
        EXPECT_TRUE(rows.contains(room)) << source.path << " is in no room of docs/architecture.md";
        ++files[room];
    }
    for (const auto& [room, row] : rows)
        EXPECT_GT(files[room], 0) << room << " in row " << row << " of docs/architecture.md has no files";
}

TEST(Architecture, ARoomIncludesItselfAndTheRowsAboveItOnly) {
    const std::map<std::string, int> rows = rows_of_rooms();
    int seen = 0;
    for (const Source& source : sources()) {
        const std::string room = room_of(source.path);
        for (const std::string& other : source.includes) {
            const bool ours = other.starts_with("sim/") || other.starts_with("ui/");
            if (!ours) continue;
            ++seen;
            EXPECT_TRUE(fs::exists(kRoot / other)) << source.path << " includes " << other;
            if (room_of(other) == room) continue;
            ASSERT_TRUE(rows.contains(room) && rows.contains(room_of(other)))
                << source.path << " includes " << other;
            EXPECT_LT(rows.at(room_of(other)), rows.at(room))
                << source.path << " includes " << other
                << ", which is not above it in the table of docs/architecture.md";
            EXPECT_FALSE(room.starts_with("sim/") && other.starts_with("ui/"))
                << source.path << " includes " << other << ": sim/ knows nothing of ui/";
        }
    }
    EXPECT_GT(seen, 500);
}

// Libraries, and the rooms that may know them. What is not listed is everybody's.
TEST(Architecture, LibrariesStayInTheirRooms) {
    const std::map<std::string, std::vector<std::string>> allowed{
        {"imgui", {"ui/platform", "ui/panels", "ui/app", "ui/web"}},
        {"SDL", {"ui/platform", "ui/app", "ui/web"}},
        {"CLI/", {"sim/cli", "ui/app"}},
        {"stb", {"sim/link", "sim/plot", "ui/platform", "ui/web"}},
        // JSON is read and written at the edge: nothing that happens between two events knows of it.
        {"nlohmann",
         {"sim/scenario", "sim/check", "sim/lab", "sim/quiz", "sim/grade", "sim/exchange", "sim/calibrate",
          "sim/cli", "ui/platform", "ui/control"}},
    };
    for (const Source& source : sources()) {
        for (const std::string& other : source.includes) {
            for (const auto& [library, rooms] : allowed) {
                if (!other.starts_with(library)) continue;
                EXPECT_NE(std::find(rooms.begin(), rooms.end(), room_of(source.path)), rooms.end())
                    << source.path << " includes " << other;
            }
        }
    }
}

// The differences between the versions of a library are in one place (docs/building.md).
TEST(Architecture, OneFileKnowsTheVersionsOfALibrary) {
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

// The C++ library that Debian's Emscripten brings has no algorithms in std::ranges: what uses them builds
// everywhere but for browsers, and is found ten minutes later.
TEST(Architecture, NoFileUsesWhatTheLibraryForBrowsersLacks) {
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
