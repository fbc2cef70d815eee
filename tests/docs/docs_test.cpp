// Re-runs each command shown in a document and compares the output; checks that each link leads to a file
// and a heading.
//
// A command is a fenced block with the info string `console`: a line "$ COMMAND" (a trailing backslash
// continues it), followed by its exact standard output. sh runs it in the source directory, with the
// program's directory first in PATH.
//
// A block with the info string `lua` or `json` whose first line is a comment with a file name, such as "--
// mine.lua: ...", defines a file for the rest of the document. Commands of such a document run in a directory
// with its files and all of the sources.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/markdown.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"

namespace docs_test {

namespace fs = std::filesystem;
using markdown::Fence, markdown::fences, markdown::lines_of;

const fs::path kSource = SWITCHYARD_SOURCE_DIR;

std::vector<fs::path> documents() {
    std::vector<fs::path> files;
    if (fs::exists(kSource / "docs"))
        for (const auto& entry : fs::recursive_directory_iterator(kSource / "docs"))
            if (entry.path().extension() == ".md") files.push_back(entry.path());
    if (fs::exists(kSource / "README.md")) files.push_back(kSource / "README.md");
    std::sort(files.begin(), files.end());
    return files;
}

// A position in the form that editors recognise: "docs/reference/model.md:12".
std::string place(const fs::path& file, std::size_t line) {
    return file.lexically_relative(kSource).string() + ":" + std::to_string(line + 1);
}

std::string quoted(const std::string& text) {
    std::string safe = "'";
    for (const char c : text) c == '\'' ? safe += "'\\''" : safe += c;
    return safe + "'";
}

std::string output_of(const std::string& command, const fs::path& input = "/dev/null",
                      const fs::path& folder = kSource) {
    const std::string script = "cd " + quoted(folder.string()) +
                               " && PATH=" + quoted(fs::path(SWITCHYARD_BINARY).parent_path().string()) +
                               ":\"$PATH\" && export PATH || exit 125\n" + command + "\n";
    std::FILE* pipe = popen(("sh -c " + quoted(script) + " < " + quoted(input.string())).c_str(), "r");
    if (pipe == nullptr) return "popen() failed";
    std::string text;
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
    const int status = pclose(pipe);
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 125 || WEXITSTATUS(status) == 127))
        text += "(the shell did not find the command)\n";
    return text;
}

// output_of() with a cache for `reproduce`: a table that several commands filter is simulated once.
std::string output_with_tables_kept(const std::string& command, const fs::path& where) {
    const std::size_t bar = command.find(" | ");
    if (!command.starts_with("switchyard reproduce ") || bar == std::string::npos)
        return output_of(command, "/dev/null", where);
    static const ScratchFolder folder;
    static std::map<std::string, std::string> tables;
    std::string& table = tables[command.substr(0, bar)];
    if (table.empty()) table = folder.write(std::to_string(tables.size()), output_of(command.substr(0, bar)));
    return output_of(command.substr(bar + 3), table);
}

// The directory in which the commands of a document run. It contains the files that the document defines,
// if any.
class Workplace {
  public:
    const fs::path& folder() const { return own_ ? own_->path() : kSource; }

    // If the block defines a file, creates that file.
    void add(const std::vector<std::string>& lines, const Fence& fence) {
        static const std::regex names_file(R"(^(?:--|//) ([a-z0-9_-]+\.(?:lua|json))\b.*)");
        std::smatch name;
        if ((fence.info != "lua" && fence.info != "json") || fence.begin + 1 >= fence.end ||
            !std::regex_match(lines[fence.begin + 1], name, names_file))
            return;
        if (!own_) {
            own_ = std::make_unique<ScratchFolder>();
            for (const auto& entry : fs::directory_iterator(kSource))
                fs::create_symlink(entry.path(), own_->path() / entry.path().filename());
        }
        std::ofstream out(own_->path() / name[1].str());
        for (std::size_t i = fence.begin + 1; i < fence.end; ++i) out << lines[i] << '\n';
    }

  private:
    std::unique_ptr<ScratchFolder> own_;
};

// Returns line `number` of the text, counted from 0, for error messages. If the line or its newline is
// missing, the returned text states that.
std::string line_of(const std::string& text, std::size_t number) {
    std::size_t begin = 0;
    for (; number > 0 && begin != std::string::npos; --number) {
        begin = text.find('\n', begin);
        if (begin != std::string::npos) ++begin;
    }
    if (begin >= text.size()) return "(ends here)";
    const std::size_t end = text.find('\n', begin);
    return text.substr(begin, end - begin) + (end == std::string::npos ? " (and no end of line)" : "");
}

bool is_lesson(const fs::path& file) {
    return file.parent_path().filename() == "tutorials" &&
           std::isdigit(file.filename().string().front()) != 0;
}

class Document : public testing::TestWithParam<fs::path> {};

TEST_P(Document, PrintsOfEachCommandWhatItSays) {
    ASSERT_TRUE(fs::exists(SWITCHYARD_BINARY)) << SWITCHYARD_BINARY << ": build the program first";
    // The commands of lessons simulate long runs: they take seconds without optimisation and minutes with
    // sanitizers.
    if (!kThorough && is_lesson(GetParam())) GTEST_SKIP() << "lessons are replayed in thorough builds";
    const std::vector<std::string> lines = lines_of(GetParam());
    Workplace workplace;
    for (const Fence& fence : fences(lines)) {
        workplace.add(lines, fence);
        if (fence.info != "console") continue;
        ASSERT_LT(fence.end, lines.size()) << place(GetParam(), fence.begin) << ": this block has no end";
        std::size_t i = fence.begin + 1;
        if (i == fence.end || !lines[i].starts_with("$ ")) {
            ADD_FAILURE() << place(GetParam(), i) << ": a console block begins with '$ ' and a command";
            continue;
        }
        std::string command = lines[i].substr(2);
        for (; lines[i].ends_with('\\') && i + 1 < fence.end; ++i) command += "\n" + lines[i + 1];
        // The simulation of a table consists of millions of switches.
        if (!kThorough && (command.find("switchyard reproduce") != std::string::npos ||
                           command.find("figure yield-table") != std::string::npos))
            continue;
        // A fit takes seconds without optimisation, and the page on calibration contains several fits.
        if (!kOptimised && command.find("switchyard calibrate") != std::string::npos) continue;

        const std::string printed = output_with_tables_kept(command, workplace.folder());
        std::string shown;
        for (std::size_t k = i + 1; k < fence.end; ++k) shown += lines[k] + "\n";
        if (printed == shown) continue;
        const auto byte = std::mismatch(shown.begin(), shown.end(), printed.begin(), printed.end()).first;
        const auto same = static_cast<std::size_t>(std::count(shown.begin(), byte, '\n'));
        ADD_FAILURE() << place(GetParam(), i + 1 + same) << ": $ " << command
                      << "\n  the document: " << line_of(shown, same)
                      << "\n  the program:  " << line_of(printed, same);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Document, testing::ValuesIn(documents()), [](const auto& file) {
    return test_name(file.param.lexically_relative(kSource).replace_extension().string());
});

TEST(Documents, ShowCommands) {
    std::size_t commands = 0;
    for (const fs::path& file : documents())
        for (const Fence& fence : fences(lines_of(file))) commands += fence.info == "console";
    EXPECT_GT(commands, 100u) << "where are the documents?";
}

TEST(Documents, YieldTablePictureIsUpToDate) {
    if (!kThorough) GTEST_SKIP() << "the 24 cells are simulated in thorough builds";
    const std::string drawn =
        output_of("switchyard reproduce yield-table --quiet --output /dev/null --picture /dev/stdout");
    std::ifstream in(kSource / "docs/yield-table.svg", std::ios::binary);
    const std::string shown((std::istreambuf_iterator<char>(in)), {});
    EXPECT_TRUE(drawn.starts_with("<svg"));
    EXPECT_TRUE(drawn == shown)
        << "draw it anew: switchyard reproduce yield-table --picture docs/yield-table.svg";
}

// Runs each line of docs/figures/figures.txt, as `./run update-images` does. A line draws a figure or runs
// a sweep.
TEST(Documents, FiguresAreUpToDate) {
    if (!kThorough) GTEST_SKIP() << "hundreds of simulations: only in thorough builds";
    const bool png = output_of("switchyard figure lat-ctx --format png | wc -c") != "0\n";
    std::size_t figures = 0;
    for (const std::string& line : lines_of(kSource / "docs/figures/figures.txt")) {
        if (line.empty() || line.front() == '#') continue;
        const std::size_t space = line.find(' ');
        const std::string name = line.substr(0, space), arguments = line.substr(space + 1);
        if (name.ends_with(".png") && !png) continue;
        const fs::path drawn =
            fs::temp_directory_path() / ("switchyard-figure-" + std::to_string(::getpid()) + "-" + name);
        const std::string command =
            name.ends_with(".jsonl")
                ? "switchyard sweep " + arguments + " --quiet --results " + drawn.string() + " > /dev/null"
                : "switchyard figure " + arguments + " --output " + drawn.string();
        EXPECT_EQ(output_of(command), "") << command;
        const auto bytes = [](const fs::path& file) {
            std::ifstream in(file, std::ios::binary);
            return std::string((std::istreambuf_iterator<char>(in)), {});
        };
        EXPECT_FALSE(bytes(drawn).empty()) << command;
        EXPECT_TRUE(bytes(drawn) == bytes(kSource / "docs/figures" / name))
            << name << " is not what the program draws now; if that is right, ./run update-images";
        fs::remove(drawn);
        ++figures;
    }
    EXPECT_GE(figures, 8u);
}

TEST(Documents, EachLinkLeadsToFileAndHeading) {
    std::size_t links = 0;
    for (const fs::path& file : documents()) {
        std::vector<std::string> lines = lines_of(file);
        for (const Fence& fence : fences(lines))
            for (std::size_t i = fence.begin; i < std::min(fence.end + 1, lines.size()); ++i)
                lines[i].clear();
        for (std::size_t i = 0; i < lines.size(); ++i) {
            for (const std::string& target : markdown::link_targets(lines[i])) {
                if (markdown::is_external(target)) continue;
                ++links;
                EXPECT_TRUE(markdown::has_target(file, target))
                    << place(file, i) << ": there is no " << target;
            }
        }
    }
    EXPECT_GT(links, 20u) << "where are the documents?";
}

}  // namespace docs_test
