// Tests of the commands under system failures: closed streams, full disks, little memory, and empty or
// special files. `./run inject-faults` tests each call (docs/how-to/testing.md).
#include <gtest/gtest.h>

#include <string>

#include "tests/support/command_line.h"
#include "tests/support/test_sizes.h"

namespace failing_machine_test {

class FailingMachine : public CommandLine {
  protected:
    std::string file(const std::string& name) const { return content_of(folder() / name); }

    // Expects exit code 2 and this message.
    void expect_sentence(const std::string& line, const std::string& sentence) const {
        const Finished f = shell(line);
        EXPECT_EQ(f.exit_code, 2) << line << "\n" << f;
        EXPECT_NE(f.err.find(sentence), std::string::npos) << line << "\nlacks: " << sentence << "\n" << f;
        EXPECT_TRUE(f.err.ends_with('\n')) << line << "\n" << f;
    }
};

const std::string kSweep = "switchyard sweep two-hogs --vary /machine/hz=100,200 --until 50ms";

// --- missing values ---

TEST_F(FailingMachine, EmptyArgumentIsRejected) {
    for (const char* line :
         {"switchyard run two-hogs --output ''", "switchyard quiz --save-answers ''",
          "switchyard quiz --class ''", "switchyard run two-hogs --policy ''", "switchyard link --decode ''"})
        expect_sentence(line, "the value must not be empty");
    expect_sentence(kSweep + " --results ''", "the value must not be empty");
}

TEST_F(FailingMachine, SpecialFileIsRejectedAsScenario) {
    expect_sentence("switchyard check /proc/self/status", "not a regular file");
}

// --- standard streams ---

TEST_F(FailingMachine, FileNeverReplacesClosedStandardStream) {
    output(
        {"sweep", "two-hogs", "--vary", "/machine/hz=100,200", "--until", "50ms", "--results", "open.jsonl"});
    EXPECT_EQ(shell(kSweep + " --results closed.jsonl 0<&- 1>&- 2>&-").exit_code, 2)
        << "the table could not be printed";
    EXPECT_EQ(file("closed.jsonl"), file("open.jsonl"));
    EXPECT_EQ(shell("switchyard run two-hogs --until 1s --output run.txt 0<&- 1>&- 2>&-").exit_code, 0)
        << "nothing was to be printed";
    EXPECT_EQ(file("run.txt"), output({"run", "two-hogs", "--until", "1s"}));
}

TEST_F(FailingMachine, ClosedStandardStreamsGiveExitCodeTwo) {
    for (const char* words : {"run two-hogs", "run nobody", "figure timeline two-hogs", "list policies",
                              "--help", "sweep two-hogs --until 50ms", "quiz --count 1",
                              "quiz --show-answers", "step", "verify -", "check -", "nonsense", "lesson 1"})
        EXPECT_EQ(shell(std::string("switchyard ") + words + " 0<&- 1>&- 2>&-").exit_code, 2) << words;
}

TEST_F(FailingMachine, OutputErrorIsReported) {
    expect_sentence("switchyard --help > /dev/full",
                    "standard output cannot be written: No space left on device");
    expect_sentence("switchyard run two-hogs --until 1s > /dev/full",
                    "standard output cannot be written: No space left");
    expect_sentence("switchyard --version >&-", "standard output cannot be written: Bad file descriptor");
    // The reader of the pipe exits before anything is written.
    expect_sentence(
        "{ sleep 0.3; switchyard list policies; echo $? >code; } | true; sleep 0.6; exit $(cat code)",
        "standard output cannot be written: Broken pipe");
}

TEST_F(FailingMachine, UnreadableStandardInputIsError) {
    for (const char* words :
         {"step", "quiz --count 2", "quiz --grade -", "verify -", "check -", "run -",
          "sweep --results-from -", "grade mlfq --tests -", "quiz --class - --output monday --count 1"})
        expect_sentence(std::string("switchyard ") + words + " < .",
                        "standard input: cannot be read: Is a directory");
    EXPECT_FALSE(listing().contains("monday"));
}

// --- files ---

TEST_F(FailingMachine, EmptyInputFileIsRejected) {
    write_file(folder() / "empty", "");
    for (const char* words :
         {"quiz --grade", "verify", "check", "run", "sweep --results-from", "sweep --merge", "figure sweep",
          "figure timeline", "link", "save", "compare", "quiz --output monday --class", "tour"})
        expect_sentence(std::string("switchyard ") + words + " empty", "is empty; expected ");
    expect_sentence("switchyard step < empty", "standard input:1:1: expected at least one event");
    expect_sentence("printf '# nothing\\n\\n' | switchyard step two-hogs",
                    "standard input:3:1: expected at least one event");
}

TEST_F(FailingMachine, EmptyStudentAnswersAreReportedByFile) {
    write_file(folder() / "roster.csv", "id,name\ns1,Ann\ns2,Ben\n");
    output({"quiz", "--class", "roster.csv", "--output", "monday", "--count", "1", "--quiet"});
    write_file(folder() / "monday/answers/s1.json", "");
    std::filesystem::remove(folder() / "monday/answers/s2.json");
    std::filesystem::create_directory(folder() / "monday/answers/s2.json");
    expect_sentence("switchyard quiz --grade monday", "monday/answers/s1.json: the input is empty");
    expect_sentence("switchyard quiz --grade monday",
                    "monday/answers/s2.json: expected a file, got a directory");
}

TEST_F(FailingMachine, InvalidSweepSummaryIsRejectedWithPosition) {
    output({"sweep", "two-hogs", "--vary", "/machine/hz=100,200", "--until", "50ms", "--results", "r.jsonl"});
    const std::string good = file("r.jsonl");
    const auto with = [&](const std::string& part, const std::string& other) {
        std::string text = good;
        text.replace(text.find(part), part.size(), other);
        write_file(folder() / "r.jsonl", text);
    };
    const auto expect_everywhere = [&](const std::string& sentence) {
        for (const char* words : {"sweep --results-from", "sweep --merge", "figure sweep"})
            expect_sentence(std::string("switchyard ") + words + " r.jsonl", sentence);
        expect_sentence(kSweep + " --results r.jsonl", sentence);
    };
    const std::size_t first = good.find("\"summary\":{"), line = good.find('\n') + 1;
    const std::string place = fmt::format("r.jsonl:2:{}: /summary", first - line + 11);
    const std::string summary = good.substr(first, good.find('\n', first) - first);
    with(summary, "\"summary\":{}}");
    expect_everywhere(place + ": \"cpus\" is missing");
    with("\"ticks\":", "\"tikcs\":");
    expect_everywhere("/summary/tikcs: unknown key 'tikcs'; did you mean 'ticks'?");
    with("\"ticks\":", "\"more\":1,\"ticks\":");
    expect_everywhere("/summary/more: unknown key 'more'");
    with("\"yields\":{\"calls\":0,", "\"yields\":{");
    expect_everywhere("/summary/yields: \"calls\" is missing");
    with("\"forks\":0", "\"forks\":-1");
    expect_everywhere("/summary/forks: expected a whole number");
    with("\"forks\":0", "\"forks\":\"0\"");
    expect_everywhere("/summary/forks: expected a whole number");
    with("\"per_cpu\":[{", "\"per_cpu\":[{\"x\":1,");
    expect_everywhere("/summary/per_cpu/0/x: unknown key 'x'");
}

// On a full disk the results contain only whole lines, and the next sweep continues after them.
TEST_F(FailingMachine, FullDiskLeavesWholeResultLines) {
    const std::string sweep =
        "switchyard sweep two-hogs --vary /machine/hz=100,200,500,1000 --seeds 2 --until 50ms --results ";
    EXPECT_EQ(shell(sweep + "good.jsonl").exit_code, 0);
    const std::string good = file("good.jsonl");
    int torn = 0;
    for (int blocks = 1; blocks < 12; ++blocks) {
        std::filesystem::remove(folder() / "r.jsonl");
        // The limit is in blocks of 512 bytes.
        const Finished f = shell(fmt::format("ulimit -f {}; {} r.jsonl 2>&1 | cat", blocks, sweep));
        EXPECT_NE(f.out.find("r.jsonl: File too large"), std::string::npos) << f;
        const std::string bytes = file("r.jsonl");
        EXPECT_TRUE(good.starts_with(bytes));
        EXPECT_TRUE(bytes.empty() || bytes.ends_with('\n')) << bytes.substr(bytes.rfind('\n') + 1);
        torn += bytes.size() != static_cast<std::size_t>(blocks) * 512 ? 1 : 0;
        EXPECT_EQ(shell(sweep + "r.jsonl").exit_code, 0);
        EXPECT_EQ(file("r.jsonl"), good);
    }
    EXPECT_GT(torn, 0) << "no line was cut in two";
}

TEST_F(FailingMachine, FullDiskLeavesNoPartialFile) {
    const Finished f =
        shell("ulimit -f 1; switchyard figure timeline two-hogs --output figure.svg 2>&1 | cat");
    EXPECT_NE(f.out.find("figure.svg: cannot be written: File too large"), std::string::npos) << f;
    EXPECT_EQ(listing(), (std::set<std::string>{"scenarios", "tests"}));
}

// Until the export ends, the pages of trace.dat are in a temporary file.
TEST_F(FailingMachine, FullDiskLeavesNoTemporaryFile) {
    const Finished f = shell(
        "ulimit -f 8; switchyard export token-pipe --until 2ms --format trace.dat --output run.dat 2>&1 | "
        "cat");
    EXPECT_NE(f.out.find("a temporary file cannot be written: File too large"), std::string::npos) << f;
    EXPECT_EQ(listing(), (std::set<std::string>{"scenarios", "tests"}));
}

// --- memory and threads ---

TEST_F(FailingMachine, MemoryShortageGivesExitCodeTwo) {
    if (kSanitized) GTEST_SKIP() << "no address space to spare";
    int refused = 0;
    for (const char* words :
         {"run goroutines --until 1ms", "sweep php-fpm --vary /tasks/0/count=60000 --until 1ms --jobs 4"}) {
        for (int mebibytes = 12; mebibytes <= 300; mebibytes += 24) {
            const Finished f = shell(fmt::format("ulimit -v {}; switchyard {}", mebibytes << 10, words));
            const bool is_the_loaders = f.exit_code == 127;  // the libraries do not fit into memory
            if (f.exit_code == 0 || is_the_loaders) continue;
            ++refused;
            EXPECT_EQ(f.exit_code, 2) << mebibytes << " MiB: " << words << "\n" << f;
            EXPECT_EQ(f.out, "");
            EXPECT_TRUE(f.err.ends_with('\n')) << f;
        }
    }
    EXPECT_GT(refused, 0);
}

// During a tour with many policies, only two runs are in memory at a time.
TEST_F(FailingMachine, LongTourMemoryIsBounded) {
    if (!kOptimised) GTEST_SKIP() << "sanitizers need more than any limit";
    std::string tour;
    for (int i = 1; i <= 12; ++i)
        tour += fmt::format(R"({}{{"title": "{}", "caption": "", "policy": "round-robin:quantum={}",
            "compare": "round-robin:quantum={}", "at": "switch 1"}})",
                            i == 1 ? "" : ", ", i, 2 * i, 2 * i + 1);
    write_file(folder() / "tour.json", fmt::format(R"({{"format": "switchyard-scenario/1", "machine": {{}},
        "until": "10ms", "tasks": [{{"name": "a", "count": 30000, "program": [{{"run": "1ms"}}]}}],
        "tour": [{}]}})",
                                                   tour));
    const Finished f = shell("ulimit -v 300000; switchyard tour tour.json");
    EXPECT_EQ(f.exit_code, 0) << f.err;
    EXPECT_NE(f.out.find("12/12"), std::string::npos);
}

}  // namespace failing_machine_test
