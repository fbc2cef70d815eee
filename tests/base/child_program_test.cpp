// Input, output and exit codes of child programs.
#include "sim/base/child_program.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "sim/os/streams.h"

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

// A program may be started with SIGCHLD ignored; then the system would keep no exit code.
TEST(ChildProgram, EndIsSeenIfSignalWasIgnored) {
    const auto before = signal(SIGCHLD, SIG_IGN), pipe_before = signal(SIGPIPE, SIG_DFL);
    sim::os::prepare_process_io();
    const auto child = sim::run_child_program({"sh", "-c", "exit 3"}, "");
    signal(SIGCHLD, before);
    signal(SIGPIPE, pipe_before);
    ASSERT_TRUE(child);
    EXPECT_EQ(child->exit_code, 3);
}

}  // namespace child_program_test
