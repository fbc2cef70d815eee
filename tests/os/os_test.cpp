// The interface to the operating system, as its users rely on it. .ci/checks/windows-programs tries the
// programs on Windows.
#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "sim/base/problem.h"
#include "sim/os/descriptor.h"
#include "sim/os/directories.h"
#include "sim/os/display.h"
#include "sim/os/files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/scratch_folder.h"

namespace sim::os {
namespace os_test {

TEST(OperatingSystem, ExistsForFilesAndDirectoriesOnly) {
    const ScratchFolder folder;
    EXPECT_TRUE(exists(folder.write("a", "")));
    EXPECT_TRUE(exists(folder.path().string()));
    EXPECT_FALSE(exists(folder / "b"));
    EXPECT_FALSE(exists(folder / "a/b"));
}

TEST(OperatingSystem, ReplacedFileStaysReadableWhereOpen) {
    const ScratchFolder folder;
    const std::string before = folder.write("before", "old"), after = folder.write("after", "new");
    const Descriptor held = open_file(before, OpenMode::read);
    ASSERT_EQ(replace_file(after, before), 0);
    char text[8] = {};
    EXPECT_EQ(read_some(held.number(), text, sizeof text), 3);
    EXPECT_STREQ(text, "old");
    EXPECT_FALSE(exists(after));
}

TEST(OperatingSystem, SecondLockOfAFileIsRefused) {
    const ScratchFolder folder;
    const std::string path = folder / "results";
    const Descriptor first = open_file(path, OpenMode::read_append);
    const Descriptor second = open_file(path, OpenMode::read_append);
    EXPECT_EQ(lock_file(first), 0);
    EXPECT_EQ(lock_file(second), EWOULDBLOCK);
}

TEST(OperatingSystem, BackslashIsAPartOfNames) {
    EXPECT_TRUE(is_separator('/'));
    EXPECT_FALSE(is_separator('\\'));
    EXPECT_FALSE(is_separator('\0'));
    try {
        find_scenario("directory\\two-hogs");
        FAIL();
    } catch (const ScenarioError& error) {
        EXPECT_NE(error.problems().front().message.find("no such file or scenario"), std::string::npos);
    }
}

TEST(OperatingSystem, OnlyALeadingTildeIsExpanded) {
    ASSERT_FALSE(home_directory().empty());
    EXPECT_EQ(expand_home("~/a"), home_directory() + "/a");
    EXPECT_EQ(expand_home("~a"), "~a");
    EXPECT_EQ(expand_home("a/~"), "a/~");
}

TEST(OperatingSystem, WindowSystemScalesWindows) { EXPECT_EQ(display_density(), 1); }

}  // namespace os_test
}  // namespace sim::os
