// write_atomically() replaces a file completely or not at all, and handles links and devices.
#include "sim/base/atomic_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/support/program.h"

namespace sim {
namespace atomic_file_test {

namespace fs = std::filesystem;

class AtomicFile : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "/switchyard-whole-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr) << name;
        folder = fs::canonical(name);
    }
    void TearDown() override { fs::remove_all(folder); }

    std::string path(const char* name) const { return (folder / name).string(); }
    std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(folder), fs::directory_iterator{});
    }

    fs::path folder;
};

TEST_F(AtomicFile, TemporaryFileKeepsPrivatePermissions) {
    write_atomically(path("mine"), "old");
    fs::permissions(path("mine"), fs::perms::owner_read | fs::perms::owner_write);
    sim::AtomicFile file(path("mine"));
    file.write("secret");
    EXPECT_EQ(fs::status(file.path_being_written()).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
    file.finish();
    EXPECT_EQ(fs::status(path("mine")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, TwoWritersUseDifferentTemporaryFiles) {
    sim::AtomicFile one(path("both")), other(path("both"));
    EXPECT_NE(one.path_being_written(), other.path_being_written());
    one.write("one");
    other.write("other");
    one.finish();
    EXPECT_EQ(content_of(path("both")), "one");
    other.finish();
    EXPECT_EQ(content_of(path("both")), "other");
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, WritesAllBytesWithoutLeftovers) {
    const std::string bytes("a\0b\r\n\xff", 6);
    write_atomically(path("new"), bytes);
    EXPECT_EQ(content_of(path("new")), bytes);
    write_atomically(path("new"), "");
    EXPECT_EQ(content_of(path("new")), "");
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, KeepsPermissionsOfReplacedFile) {
    write_atomically(path("mine"), "1");
    fs::permissions(path("mine"), fs::perms::owner_read | fs::perms::owner_write);
    write_atomically(path("mine"), "2");
    EXPECT_EQ(fs::status(path("mine")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(content_of(path("mine")), "2");
}

TEST_F(AtomicFile, WritesThroughLink) {
    write_atomically(path("target"), "1");
    fs::create_symlink("target", path("link"));
    write_atomically(path("link"), "2");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(content_of(path("target")), "2");
}

TEST_F(AtomicFile, FollowsLinksToMissingTarget) {
    fs::create_directory(path("there"));
    fs::create_symlink("there/second", path("first"));
    fs::create_symlink("third", path("there/second"));
    write_atomically(path("first"), "new");
    EXPECT_TRUE(fs::is_symlink(path("first")) && fs::is_symlink(path("there/second")));
    EXPECT_EQ(content_of(path("there/third")), "new");
    fs::create_symlink("round", path("round"));
    EXPECT_THROW(write_atomically(path("round"), "new"), FileError);
}

TEST_F(AtomicFile, AcceptsLongestFileName) {
    const std::string longest(255, 'n'), longer(256, 'n');
    write_atomically(path(longest.c_str()), "new");
    EXPECT_EQ(content_of(path(longest.c_str())), "new");
    EXPECT_EQ(files(), 1);
    EXPECT_THROW(write_atomically(path(longer.c_str()), "new"), FileError);
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, UnwritablePathIsDetectedBeforehand) {
    const auto why = [](const std::string& place) -> std::string {
        try {
            check_can_be_written(place);
            return "";
        } catch (const FileError& error) {
            return error.what();
        }
    };
    for (const std::string& good : {path("new"), std::string("/dev/null"), std::string("here")})
        EXPECT_EQ(why(good), "");
    fs::create_symlink("nowhere/new", path("link"));
    EXPECT_EQ(why(path("no/new")), path("no/new") + ": cannot be written: No such file or directory");
    EXPECT_EQ(why(path("link")), path("link") + ": cannot be written: No such file or directory");
    EXPECT_EQ(why(folder), folder.string() + ": cannot be written: Is a directory");
    write_atomically(path("old"), "old");
    EXPECT_EQ(why(path("old")), "");
    EXPECT_EQ(why(path("old/new")), path("old/new") + ": cannot be written: Not a directory");
    if (geteuid() != 0) {  // root may write everywhere
        fs::create_directory(path("locked"));
        fs::permissions(path("locked"), fs::perms::owner_read | fs::perms::owner_exec);
        EXPECT_EQ(why(path("locked/new")), path("locked/new") + ": cannot be written: Permission denied");
    }
    EXPECT_EQ(content_of(path("old")), "old");
}

TEST_F(AtomicFile, WritesDirectlyToDevice) {
    write_atomically("/dev/null", "gone");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_THROW(write_atomically("/dev/full", "too much"), std::runtime_error);
}

TEST_F(AtomicFile, WriteErrorNamesPathAndReason) {
    for (const auto& [bad, why] : {std::pair(folder.string(), "Is a directory"),
                                   std::pair(path("no/such/folder"), "No such file or directory"),
                                   std::pair(std::string("/dev/full"), "No space left on device")}) {
        try {
            write_atomically(bad, "text");
            ADD_FAILURE() << bad;
        } catch (const std::runtime_error& problem) {
            EXPECT_EQ(problem.what(), bad + ": cannot be written: " + why);
        }
    }
    EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFile, UnfinishedFileLeavesOldContent) {
    write_atomically(path("there"), "before");
    {
        sim::AtomicFile file(path("there"));
        file.write("after");
    }
    EXPECT_EQ(content_of(path("there")), "before");
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, UnfinishedFilesCanBeRemoved) {
    sim::AtomicFile one(path("one")), two(path("two"));
    AtomicDirectory whole(path("folder"));
    whole.write("a/b/c.txt", "1");
    whole.write("a/d.txt", "2");
    {
        sim::AtomicFile three(path("three"));
        three.write("3");
        three.finish();
    }
    EXPECT_EQ(files(), 4);
    remove_unfinished_files();
    EXPECT_EQ(files(), 1);
    EXPECT_EQ(content_of(path("three")), "3");
    EXPECT_THROW(one.finish(), FileError);
}

TEST_F(AtomicFile, OccupiedDirectoryIsNotReplaced) {
    {
        AtomicDirectory made(path("made"));
        made.write("a", "1");
        fs::create_directory(path("made"));
        write_atomically(path("made/other"), "by somebody else");
        EXPECT_THROW(made.finish(), FileError);
    }
    EXPECT_EQ(files(), 1);
    EXPECT_EQ(content_of(path("made/other")), "by somebody else");
}

TEST_F(AtomicFile, DirectoryAppearsOnlyWhenFinished) {
    {
        AtomicDirectory whole(path("new/"));
        whole.write("a/b.txt", "1");
        EXPECT_FALSE(fs::exists(path("new")));
    }
    EXPECT_EQ(files(), 0) << "what is not finished is gone";
    AtomicDirectory whole(path("new"));
    whole.write("a/b.txt", "1");
    whole.write("c.txt", "2");
    whole.finish();
    EXPECT_EQ(content_of(path("new/a/b.txt")), "1");
    EXPECT_EQ(content_of(path("new/c.txt")), "2");
    EXPECT_EQ(files(), 1);
    EXPECT_THROW(AtomicDirectory{path("new")}, FileError) << "there is something in it";
    EXPECT_THROW(AtomicDirectory{path("new/c.txt")}, FileError);
    try {
        AtomicDirectory nowhere(path("no/such"));
        FAIL();
    } catch (const FileError& error) {
        EXPECT_EQ(error.what(), path("no/such") + ": cannot be created: No such file or directory");
    }
    fs::create_directory(path("empty"));
    AtomicDirectory into(path("empty"));
    into.write("x", "");
    into.finish();
    EXPECT_TRUE(fs::exists(path("empty/x")));
}

}  // namespace atomic_file_test
}  // namespace sim
