// Tests of the installed window program: its version, manual page, completion and menu entry.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/program.h"
#include "tests/support/test_sizes.h"

namespace ui_program_test {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Finished run(Words words) {
    words.insert(words.begin(), SWITCHYARD_UI_BINARY);
    return run_program(words, {fs::temp_directory_path(), "", {}});
}

TEST(WindowProgram, VersionHasNumberAndOptionalCommit) {
    const Finished f = run({"--version"});
    EXPECT_EQ(f.exit_code, 0) << f;
    EXPECT_TRUE(
        std::regex_match(f.out, std::regex(R"(switchyard-ui \d+\.\d+\.\d+( \([0-9a-f]{7}(-dirty)?\))?\n)")))
        << f;
}

TEST(WindowProgram, ManualPageListsEachHelpOption) {
    std::string folder = testing::TempDir() + "/switchyard-manual-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    EXPECT_EQ(run({"manual", folder}).exit_code, 0);
    const std::string text =
        std::regex_replace(content_of(fs::path(folder) / "switchyard-ui.1"), std::regex(R"(\\-)"), "-");
    fs::remove_all(folder);
    const std::string help = run({"--help"}).out;
    const std::regex option(R"(--[a-z-]+)");
    int options = 0;
    for (std::sregex_iterator o(help.begin(), help.end(), option), end; o != end; ++o, ++options)
        EXPECT_NE(text.find(o->str()), std::string::npos) << o->str();
    EXPECT_GT(options, 10);
}

TEST(WindowProgram, CompletesScenariosPanesPoliciesAndPointers) {
    const auto complete = [](Words words) {
        words.insert(words.begin(), {"complete", "--"});
        const Finished f = run(words);
        return f.out.substr(0, f.out.find('\t'));
    };
    EXPECT_EQ(complete({"two"}), "two-hogs");
    EXPECT_EQ(complete({"--pane", "deci"}), "decision");
    EXPECT_EQ(complete({"--compare", "linux-2.0:yield=one"}), "linux-2.0:yield=one_tick");
    EXPECT_EQ(complete({"--set", "/tasks/0/count="}), "/tasks/0/count=2");
    EXPECT_EQ(complete({"--screensh"}), "--screenshot");
}

TEST(WindowProgram, OversizedFrameIsRefused) {
    for (const char* size : {"16384x16384", "8192x4097", "16384x2049"}) {
        const Finished f = run({"--headless", "two-hogs", "--size", size, "--screenshot", "never.png"});
        EXPECT_EQ(f.exit_code, 2) << f;
        EXPECT_EQ(f.err, std::string("--size: '") + size +
                             "' has more than 33554432 pixels (8192x4096)\nRun with --help for "
                             "more information.\n");
    }
    EXPECT_FALSE(fs::exists(fs::temp_directory_path() / "never.png"));
}

// With too little memory the program reports an error, and writes its output atomically or not at all.
TEST(WindowProgram, LowMemoryFailsWithoutPartialOutput) {
    if (!kOptimised) GTEST_SKIP() << "sanitizers need more than any limit";
    std::string folder = testing::TempDir() + "/switchyard-memory-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const fs::path picture = fs::path(folder) / "x.png";
    int failed = 0, done = 0;
    for (int mib = 50; mib <= 106; mib += 8) {
        const std::string command = "ulimit -v " + std::to_string(mib * 1024) +
                                    "; exec " SWITCHYARD_UI_BINARY
                                    " --headless two-hogs --size 2048x1536 --screenshot " +
                                    picture.string();
        const Finished f = run_program({"/bin/sh", "-c", command}, {folder, "", {}});
        if (f.exit_code == 127) continue;  // its libraries do not fit into memory
        EXPECT_TRUE(f.exit_code == 0 || f.exit_code == 2) << mib << " MiB: " << f;
        EXPECT_EQ(fs::exists(picture), f.exit_code == 0) << mib << " MiB";
        if (f.exit_code != 0) {
            EXPECT_FALSE(f.err.empty()) << mib << " MiB";
        }
        (f.exit_code == 0 ? done : failed) += 1;
        fs::remove(picture);
        EXPECT_TRUE(fs::is_empty(folder)) << mib << " MiB";
    }
    EXPECT_GT(failed, 1);
    EXPECT_GT(done, 0);
    fs::remove_all(folder);
}

TEST(WindowProgram, EmptyOrEndlessInputScriptIsRefused) {
    const auto with_script = [](const std::string& path) {
        return run({"--headless", "two-hogs", "--script", path});
    };
    const Finished endless = with_script("/dev/zero"), nothing = with_script("/dev/null");
    EXPECT_EQ(endless.exit_code, 2);
    EXPECT_NE(endless.err.find("/dev/zero: this is not a regular file"), std::string::npos) << endless;
    EXPECT_EQ(nothing.exit_code, 2) << nothing;
    const fs::path file = fs::path(testing::TempDir()) / "switchyard-empty.script";
    std::ofstream(file) << "# a comment, and no command\n";
    const Finished empty = with_script(file.string());
    fs::remove(file);
    EXPECT_EQ(empty.exit_code, 2);
    EXPECT_NE(empty.err.find("switchyard-empty.script: the input script has no statements"),
              std::string::npos)
        << empty;
}

TEST(WindowProgram, DesktopEntryIsValid) {
    const Finished f = run_program(
        {"/bin/sh", "-c",
         "command -v desktop-file-validate || exit 77; desktop-file-validate " SWITCHYARD_SOURCE_DIR
         "/ui/desktop/switchyard.desktop"},
        {fs::temp_directory_path(), "", {}});
    if (f.exit_code == 77) GTEST_SKIP() << "there is no desktop-file-validate here";
    EXPECT_EQ(f.exit_code, 0) << f;
}

}  // namespace ui_program_test
