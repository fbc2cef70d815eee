// Exceptions from the stream of an InputFile.
#include "sim/base/input_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "sim/base/atomic_file.h"
#include "sim/base/problem.h"

namespace sim {
namespace input_file_test {

std::string refusal_of(const std::string& path) {
    try {
        const InputFile file(path);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

TEST(InputFile, ReadsFileLargerThanBuffer) {
    const std::string path = testing::TempDir() + "/switchyard-input", line(1000, 'x');
    std::string all;
    for (int i = 0; i < 300; ++i) all += line + "\n";
    all += "no end";
    write_atomically(path, all);
    InputFile in(path);
    EXPECT_EQ(in.name(), path);
    std::string read, text;
    while (std::getline(in, text)) read += in.eof() ? text : text + "\n";
    EXPECT_EQ(read, all);
    std::filesystem::remove(path);
}

TEST(InputFile, TypedLineLengthIsLimited) {
    const std::string path = testing::TempDir() + "/switchyard-typed";
    write_atomically(path,
                     "a\n\n" + std::string(kLongestTyped, 'x') + "\n" + std::string(kLongestTyped + 1, 'y'));
    InputFile in(path);
    std::string line;
    ASSERT_TRUE(in.read_interactive_line(line));
    EXPECT_EQ(line, "a");
    ASSERT_TRUE(in.read_interactive_line(line));
    EXPECT_EQ(line, "");
    ASSERT_TRUE(in.read_interactive_line(line));
    EXPECT_EQ(line.size(), kLongestTyped);
    try {
        in.read_interactive_line(line);
        ADD_FAILURE() << "taken";
    } catch (const ScenarioError& error) {
        EXPECT_EQ(error.problems().front().text(), path + ":4:1: this line is longer than 4096 bytes");
    }
    std::filesystem::remove(path);
}

TEST(InputFile, ReportsMissingFileAndDirectory) {
    EXPECT_EQ(refusal_of("/no/such"), "/no/such: no such file");
    EXPECT_EQ(refusal_of("/dev"), "/dev: expected a file, got a directory");
}

TEST(InputFile, ReadErrorThrows) {
    // Reading the memory of this process at address 0 fails.
    InputFile in("/proc/self/mem");
    std::string line;
    EXPECT_THROW(std::getline(in, line), ScenarioError);
}

}  // namespace input_file_test
}  // namespace sim
