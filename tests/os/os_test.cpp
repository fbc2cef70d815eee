// The interface to the operating system, as its users rely on it. .ci/checks/windows-programs tries the
// programs on Windows.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <string>

#include "sim/base/problem.h"
#include "sim/os/child_process.h"
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

TEST(OperatingSystem, NameOfAFileHasNoDirectory) {
    EXPECT_FALSE(has_directory_part("two-hogs"));
    EXPECT_FALSE(has_directory_part(""));
    EXPECT_TRUE(has_directory_part("a/b"));
    EXPECT_TRUE(has_directory_part("a/"));
    EXPECT_TRUE(has_directory_part("/a"));
}

TEST(OperatingSystem, PlainNameIsTheSameFileEverywhere) {
    EXPECT_TRUE(is_plain_name("pentium-mmx-200"));
    EXPECT_TRUE(is_plain_name("mein Rechner"));
    for (const char* name : {"", "a/b", "a\\b", "c:a", "a:b", "..", ".a"})
        EXPECT_FALSE(is_plain_name(name)) << name;
}

// Otherwise, a scenario would be accepted on one system and refused on another.
TEST(OperatingSystem, MachineWithAColonInItsNameIsUnknown) {
    const InsideScratchFolder folder;
    make_directory("machines");
    const std::string machine = R"({"format": "switchyard-machine/1", "base": "pentium-mmx-200"})";
    folder.write("machines/a:b.json", machine);
    folder.write("machines/ab.json", machine);
    const auto scenario_of = [](const std::string& name) {
        return parse_scenario("test.json",
                              R"({"format": "switchyard-scenario/1", "until": "1s", "machine": ")" + name +
                                  R"(", "tasks": [{"name": "a", "program": [{"run": "1ms"}]}]})",
                              {}, ".");
    };
    EXPECT_NO_THROW(scenario_of("ab"));
    try {
        scenario_of("a:b");
        FAIL();
    } catch (const ScenarioError& error) {
        EXPECT_NE(error.problems().front().message.find("unknown machine 'a:b'"), std::string::npos);
    }
}

TEST(OperatingSystem, ReadingUpToASizeStopsAtTheEnd) {
    const ScratchFolder folder;
    const std::string text(100'000, 'x');  // more than one read
    const Descriptor file = open_file(folder.write("a", text + "end"), OpenMode::read);
    std::string bytes = "old";
    EXPECT_EQ(read_up_to(file.number(), text.size(), bytes), 0);
    EXPECT_EQ(bytes, text);
    EXPECT_EQ(read_up_to(file.number(), text.size(), bytes), 0);
    EXPECT_EQ(bytes, "end");
    EXPECT_EQ(read_up_to(-1, 1, bytes), EBADF);
    EXPECT_EQ(bytes, "");
}

TEST(OperatingSystem, NoChildInheritsATemporaryFile) {
    const Descriptor file = open_temporary_file();
    ASSERT_TRUE(file.is_open());
    EXPECT_NE(fcntl(file.number(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(OperatingSystem, ForgottenChildIsKilled) {
    Descriptor our_end, child_end;
    ASSERT_EQ(make_child_output_pipe(our_end, child_end), 0);
    {
        ChildProcess child;
        ASSERT_EQ(child.start({"sleep", "1000"}, {.in = -1, .out = child_end.number(), .err = -1}), 0);
    }
    child_end.close();
    char byte;
    EXPECT_EQ(read_some(our_end.number(), &byte, 1), 0) << "the child still has its end of the pipe";
}

TEST(OperatingSystem, SettingsAreInTheConfigurationDirectory) {
    const char* const value = getenv("XDG_CONFIG_HOME");
    const std::string before = value == nullptr ? "" : value;
    setenv("XDG_CONFIG_HOME", "/configuration", 1);
    EXPECT_EQ(settings_directory(), "/configuration/switchyard");
    unsetenv("XDG_CONFIG_HOME");
    EXPECT_EQ(settings_directory(), home_directory() + "/.config/switchyard");
    if (value != nullptr) setenv("XDG_CONFIG_HOME", before.c_str(), 1);
}

TEST(OperatingSystem, OnlyALeadingTildeIsExpanded) {
    ASSERT_FALSE(home_directory().empty());
    EXPECT_EQ(expand_home("~/a"), home_directory() + "/a");
    EXPECT_EQ(expand_home("~a"), "~a");
    EXPECT_EQ(expand_home("a/~"), "a/~");
}

TEST(OperatingSystem, WindowSystemScalesWindows) { EXPECT_EQ(display_scale(), 1); }

}  // namespace os_test
}  // namespace sim::os
