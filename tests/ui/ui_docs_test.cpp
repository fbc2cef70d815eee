// Checks the documents against the window: the table of keys, and every picture.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stb_image.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/app/commands.h"
#include "ui/app/window_link.h"
#include "ui/platform/imgui_versions.h"

namespace ui_docs_test {

namespace fs = std::filesystem;

const fs::path kSource = SWITCHYARD_SOURCE_DIR;

std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The expected table in docs/reference/window.md.
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

TEST(WindowDocuments, KeyTableMatchesCommands) {
    const std::string page = contents(kSource / "docs/reference/window.md");
    EXPECT_NE(page.find(table_of_keys()), std::string::npos) << "docs/reference/window.md should say:\n"
                                                             << table_of_keys();
}

// The colours of a PNG file, three bytes per pixel.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<unsigned char> rgb;
};

Picture read_picture(const fs::path& file) {
    const std::string bytes = contents(file);
    Picture picture;
    stbi_uc* const rgb =
        stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                              &picture.width, &picture.height, nullptr, 3);
    if (rgb == nullptr) return picture;
    picture.rgb.assign(rgb, rgb + std::size_t{3} * static_cast<std::size_t>(picture.width) *
                                      static_cast<std::size_t>(picture.height));
    stbi_image_free(rgb);
    return picture;
}

// Returns the share of pixels that differ; 1 if the pictures have different sizes.
double share_of_different_pixels(const Picture& a, const Picture& b) {
    if (a.rgb.empty() || a.width != b.width || a.height != b.height) return 1;
    std::size_t different = 0;
    for (std::size_t at = 0; at < a.rgb.size(); at += 3)
        different += !std::equal(&a.rgb[at], &a.rgb[at] + 3, &b.rgb[at]);
    return static_cast<double>(different * 3) / static_cast<double>(a.rgb.size());
}

// The share of pixels that another version of Dear ImGui may draw differently. Measured with version 1.90:
// at most 0.0209 if text is scrolled one pixel further, 0.0044 for a lower tooltip, 0.0002 for a narrower
// scroll bar. A moved pane or another font would cause far more differences.
constexpr double kMostDifferentPixels = 0.05;

// Runs each line of docs/pictures/pictures.txt, as `./run update-images` does. A line draws a picture. The
// expected text of the window is in tests/pictures/ and is independent of the version of Dear ImGui.
TEST(WindowDocuments, PicturesMatchProgramOutput) {
    std::ifstream in(kSource / "docs/pictures/pictures.txt");
    ASSERT_TRUE(in);
    int pictures = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.front() == '#') continue;
        const std::size_t space = line.find(' ');
        const std::string name = line.substr(0, space), arguments = line.substr(space + 1);
        ++pictures;
        // takes minutes without optimisation
        if (!kThorough && arguments.find("web-server") != std::string::npos) continue;
        if (!kOptimised && pictures % 3 != 0) continue;
        const fs::path drawn = fs::temp_directory_path() / fmt::format("switchyard-{}-{}", ::getpid(), name);
        const fs::path printed = fs::path(drawn).replace_extension(".txt");
        const std::string command =
            fmt::format("cd '{}' && '{}' --headless {} --screenshot '{}' --dump-text > '{}'",
                        kSource.string(), SWITCHYARD_UI_BINARY, arguments, drawn.string(), printed.string());
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
        const fs::path picture = kSource / "docs/pictures" / name;
        const fs::path text = kSource / "tests/pictures" / fs::path(name).replace_extension(".txt");
        EXPECT_EQ(contents(printed), contents(text))
            << name << ": not what the program shows now; if that is right, ./run update-images";
        if (ui::kIsReferenceImGui)
            EXPECT_TRUE(contents(drawn) == contents(picture))
                << name << " is not what the program draws now; if that is right, ./run update-images";
        else
            EXPECT_LE(share_of_different_pixels(read_picture(drawn), read_picture(picture)),
                      kMostDifferentPixels)
                << name;
        fs::remove(drawn);
        fs::remove(printed);
    }
    EXPECT_GE(pictures, 2);
}

// Converts the words of a view comment in a lesson to a link.
std::string link_of_words(const std::string& words) {
    std::istringstream in(words);
    std::string link;
    for (std::string word; in >> word;)
        if (word != "beside") link += (link.empty() ? "#" : "&") + word;
    return link;
}

// Each figure is followed by a comment such as "<!-- view: scenario=two-hogs panel=timeline -->"; `./run
// site` converts it to an interactive view.
TEST(Lessons, EachFigureHasAViewThatOpens) {
    int figures = 0, views = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(kSource / "docs/tutorials")) {
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
            app.control().set_wait_without_limit(true);
            EXPECT_TRUE(ui::apply_link(app, ui::parse_link(link))) << link << app.model().error;
            app.run_frame(1.0 / 60);
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
