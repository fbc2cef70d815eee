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
#include <string_view>

#include "tests/support/optimised.h"
#include "ui/app/app.h"
#include "ui/app/commands.h"
#include "ui/app/place.h"

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
        ++pictures;
        if (!kThorough && arguments.find("web-server") != std::string::npos) continue;  // minutes without -O
        if (!kOptimised && pictures % 3 != 0) continue;
        const fs::path drawn = fs::temp_directory_path() / fmt::format("switchyard-{}-{}", ::getpid(), name);
        const std::string command =
            fmt::format("cd '{}' && '{}' --headless {} --screenshot '{}'", kSource.string(),
                        SWITCHYARD_UI_BINARY, arguments, drawn.string());
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
        EXPECT_TRUE(contents(drawn) == contents(kSource / "docs/pictures" / name))
            << name << " is not what the program draws now; if that is right, ./run pictures";
        fs::remove(drawn);
    }
    EXPECT_GE(pictures, 2);
}

// The words of a comment that brings a figure of a lesson to life, as a link.
std::string link_of_words(const std::string& words) {
    std::istringstream in(words);
    std::string link;
    for (std::string word; in >> word;)
        if (word != "beside") link += (link.empty() ? "#" : "&") + word;
    return link;
}

// "<!-- view: scenario=two-hogs panel=timeline -->" below each figure; ./run site makes views of them.
TEST(Lessons, EachFigureHasAViewThatOpens) {
    int figures = 0, views = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(kSource / "docs/lessons")) {
        const std::string page = contents(file.path());
        for (std::size_t at = page.find("\n!["); at != std::string::npos; at = page.find("\n![", at + 1)) {
            ++figures;
            constexpr std::string_view kBegin = "<!-- view: ", kEnd = " -->";
            const std::size_t line = page.find('\n', at + 1) + 1;
            ASSERT_EQ(page.compare(line, kBegin.size(), kBegin), 0) << file.path() << page.substr(at, 200);
            const std::size_t words = line + kBegin.size();
            const std::string link = link_of_words(page.substr(words, page.find(kEnd, words) - words));
            if (!kThorough && link.find("web-server") != std::string::npos) continue;
            if (!kOptimised && figures % 2 == 0) continue;
            ui::Backend backend = ui::Backend::headless({960, 600});
            ui::App app(backend);
            app.control().set_patient(true);
            EXPECT_TRUE(ui::go_to_place(app, ui::parse_link(link))) << link << app.model().error;
            app.frame(1.0 / 60);
            const ui::Model& model = app.model();
            EXPECT_EQ(model.error + model.laboratory->error(), "") << link;
            const bool shows = link.find("&show=") != std::string::npos;
            EXPECT_TRUE(!shows || app.view().shown.contains(model.a->now())) << link << ": stands elsewhere";
            const bool placed =
                link.find("&at=") != std::string::npos || link.find("&switch=") != std::string::npos;
            EXPECT_TRUE(!shows || placed) << link << ": a range, but no position: ./run site refuses it";
            EXPECT_TRUE(model.b == nullptr || model.a->policy().spec() != model.b->policy().spec())
                << link << ": compares a policy with itself";
            ++views;
        }
    }
    EXPECT_GE(figures, 22);
    EXPECT_GT(views, 10);
}

}  // namespace ui_docs_test
