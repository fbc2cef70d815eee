// Tests of `switchyard record` with a fake perf, and with the kernel's own tracer if permitted.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/support/fake_perf.h"

namespace record_test {

class RecordCommand : public CommandLine {
  protected:
    void SetUp() override {
        CommandLine::SetUp();
        std::filesystem::create_directory(folder() / "others");
        write_fake_perf(folder() / "others");
    }
    Finished record(const std::string& words) const {
        return shell("PATH=\"$PWD/others:$PATH\"; switchyard record " + words);
    }
};

TEST_F(RecordCommand, PrintsImportOfTrace) {
    const std::string imported = output({"import", "tests/recordings/interactive-vs-hog.txt"});
    const Finished f = record("--tracer perf -- true");
    EXPECT_EQ(f.exit_code, 0) << f;
    EXPECT_EQ(f.out, imported);
    EXPECT_EQ(f.err, "");
    EXPECT_EQ(record("--duration 1ms --quiet").out, imported);
    const Finished open = record("--replay open --policy linux-2.0 --title Mine -- true");
    EXPECT_NE(open.out.find("\"arrival_at\": "), std::string::npos) << open;
    EXPECT_NE(open.out.find("\"policy\": \"linux-2.0\""), std::string::npos) << open;
    EXPECT_NE(open.out.find("\"title\": \"Mine\""), std::string::npos) << open;
}

TEST_F(RecordCommand, ProgramOutputIsSeparateFromScenario) {
    const Finished f = record("-- printf '%s.' a 'b c'");
    EXPECT_EQ(f.out.substr(0, 2), "{\n") << f;
    EXPECT_EQ(f.err, "a.b c.");
    const Finished into_a_file = record("--output mine.json -- echo said");
    EXPECT_EQ(into_a_file.out.substr(0, 5), "said\n") << into_a_file;
    EXPECT_NE(into_a_file.out.find("mine.json: "), std::string::npos) << into_a_file;
    EXPECT_NE(into_a_file.out.find("\nnext: switchyard compare mine.json --policy linux-2.0\n"),
              std::string::npos)
        << into_a_file;
    EXPECT_EQ(into_a_file.err, "");
    EXPECT_NE(output({"check", "mine.json"}).find("mine.json: valid"), std::string::npos);
}

TEST_F(RecordCommand, SaveOptionKeepsTrace) {
    EXPECT_EQ(record("--save-trace kept --output mine.json --quiet -- true").exit_code, 0);
    EXPECT_EQ(content_of(folder() / "kept"), "PERFILE2");
}

TEST_F(RecordCommand, FailingProgramIsStillRecorded) {
    const Finished f = record("-- sh -c 'exit 3'");
    EXPECT_EQ(f.exit_code, 0);
    EXPECT_EQ(f.err, "sh ended with exit code 3\n");
    EXPECT_EQ(f.out.substr(0, 1), "{");
    EXPECT_EQ(record("-- sh -c 'kill -INT $$'").err, "sh ended with exit code 130\n");
}

TEST_F(RecordCommand, InvalidArgumentsAreRejectedBeforeRecording) {
    const auto refused = [&](const std::string& words, const std::string& reason) {
        const Finished f = record(words + " touch ran");
        EXPECT_EQ(f.exit_code, 2) << words;
        EXPECT_EQ(f.out, "") << words;
        EXPECT_NE(f.err.find(reason), std::string::npos) << f;
        EXPECT_FALSE(std::filesystem::exists(folder() / "ran")) << words;
    };
    refused("--duration 1s --", "--duration and COMMAND exclude each other, since both end the recording");
    refused("--tracer pref --", "did you mean 'perf'?");
    refused("--output nowhere/mine.json --", "nowhere/mine.json");
    refused("--save-trace nowhere/kept --", "nowhere/kept");
    refused("--policy linux-2.1 --", "linux-2.1");
    refused("--output one --save-trace one --", "the same file is used twice");
    refused("-- no-such-program", "no-such-program: program not found");
    EXPECT_EQ(record("").err, "switchyard: specify a COMMAND to record, or a time with --duration\n");
    for (const char* time : {"0s", "soon", "-1s"})
        EXPECT_EQ(record(std::string("--duration ") + time).exit_code, 2) << time;
}

TEST_F(RecordCommand, MissingPermissionIsReported) {
    write_file(folder() / "others" / "perf",
               "#!/bin/sh\necho 'No permission,' >&2\necho 'none.' >&2\nexit 255\n");
    const Finished f = record("--tracer perf -- true");
    EXPECT_EQ(f.exit_code, 2);
    EXPECT_EQ(f.err, "switchyard: perf is not permitted to record on this machine: No permission, none. \n");
}

TEST_F(RecordCommand, TerminationSignalLeavesNoFiles) {
    const Finished killed = shell(
        "PATH=\"$PWD/others:$PATH\"; export TMPDIR=$PWD/others; switchyard record --output mine.json -- "
        "sh -c 'touch begun; exec sleep 20' >said 2>&1 & "
        "while [ ! -e begun ]; do sleep 0.01; done; kill -TERM $!; wait $!; echo $? >>said; cat said; ls "
        "others");
    EXPECT_NE(killed.out.find("the recording was terminated by a signal; nothing was saved\n2\n"),
              std::string::npos)
        << killed;
    EXPECT_NE(killed.out.find("\nperf\n"), std::string::npos) << killed;
    EXPECT_EQ(killed.out.find("switchyard-"), std::string::npos) << killed;
}

// Needs root and a kernel with tracefs.
TEST_F(RecordCommand, TracefsRecordsProgram) {
    if (access("/sys/kernel/tracing/instances", W_OK) != 0) GTEST_SKIP() << "tracefs may not be used here";
    const Finished f =
        record("--tracer tracefs --save-trace kept.txt --output mine.json --quiet -- sh -c 'sleep 0.01'");
    if (f.exit_code == 2 && f.err.find("tracefs cannot be used on this machine") != std::string::npos)
        GTEST_SKIP() << f.err;
    EXPECT_EQ(f.exit_code, 0) << f;
    EXPECT_NE(content_of(folder() / "kept.txt").find("sched_switch: "), std::string::npos);
    EXPECT_NE(content_of(folder() / "mine.json").find("{\"name\": \"sleep"), std::string::npos);
    EXPECT_NE(output({"check", "mine.json"}).find("mine.json: valid"), std::string::npos);
}

}  // namespace record_test
