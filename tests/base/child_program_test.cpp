// Input, output and exit codes of child programs.
#include "sim/base/child_program.h"

#include <gtest/gtest.h>

#include <string>

namespace child_program_test {

TEST(ChildProgram, PassesInputOutputAndExitCode) {
    const std::string much(1 << 20, 'x');  // larger than a pipe buffer
    const auto cat = sim::run_child_program({"sh", "-c", "cat; echo oops >&2; exit 3"}, much);
    ASSERT_TRUE(cat);
    EXPECT_TRUE(cat->out == much);
    EXPECT_EQ(cat->err, "oops\n");
    EXPECT_EQ(cat->exit_code, 3);
    EXPECT_EQ(sim::run_child_program({"sh", "-c", "kill -9 $$"}, "")->exit_code, 128 + 9);
    EXPECT_EQ(sim::run_child_program({"printf", "%s", "a b'c"}, "")->out, "a b'c") << "no shell is between";
    EXPECT_FALSE(sim::run_child_program({"no-such-program-anywhere"}, ""));
}

}  // namespace child_program_test
