// What the documents show of the window is what the window shows: the table of keys, and every picture.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "tests/support/optimised.h"
#include "ui/app/commands.h"

namespace ui_docs_test {

namespace fs = std::filesystem;

const fs::path kSource = SWITCHYARD_SOURCE_DIR;

std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The table in docs/window.md, as it must be.
std::string table_of_keys() {
    std::string table = "| keys | command | does |\n|---|---|---|\n";
    const ui::Commands commands;
    for (const ui::Command& command : commands.all()) {
        std::string keys;
        for (const ui::Chord& chord : command.keys)
            keys += fmt::format("{}`{}`", keys.empty() ? "" : ", ", to_string(chord));
        table += fmt::format("| {} | `{}` | {} |\n", keys, command.id, command.title);
    }
    return table;
}

TEST(WindowDocuments, ListEveryKeyAsItIs) {
    const std::string page = contents(kSource / "docs/window.md");
    EXPECT_NE(page.find(table_of_keys()), std::string::npos) << "docs/window.md should say:\n"
                                                             << table_of_keys();
}

// Each line of docs/pictures/pictures.txt draws a picture; `./run pictures` does the same.
TEST(WindowDocuments, PicturesAreWhatTheProgramDraws) {
    std::ifstream in(kSource / "docs/pictures/pictures.txt");
    ASSERT_TRUE(in);
    int pictures = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.front() == '#') continue;
        const std::size_t space = line.find(' ');
        const std::string name = line.substr(0, space), arguments = line.substr(space + 1);
        if (!kOptimised && arguments.find("web-server") != std::string::npos) continue;  // minutes without -O
        const fs::path drawn = fs::temp_directory_path() / fmt::format("switchyard-{}-{}", ::getpid(), name);
        const std::string command =
            fmt::format("cd '{}' && '{}' --headless {} --screenshot '{}'", kSource.string(),
                        SWITCHYARD_UI_BINARY, arguments, drawn.string());
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
        EXPECT_TRUE(contents(drawn) == contents(kSource / "docs/pictures" / name))
            << name << " is not what the program draws now; if that is right, ./run pictures";
        fs::remove(drawn);
        ++pictures;
    }
    EXPECT_GE(pictures, 2);
}

}  // namespace ui_docs_test
