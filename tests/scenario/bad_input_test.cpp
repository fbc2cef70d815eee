// Invalid scenarios are rejected quickly with the right message and position, and only by a ScenarioError.
// Small ones are files in tests/bad/, with their messages in expected.txt.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/core/action.h"
#include "sim/core/policy.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/scenario_json.h"

namespace sim {
namespace bad_input_test {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(SWITCHYARD_SOURCE_DIR) / "tests" / "bad";

// --- files of tests/bad/ ---

std::string replaced(std::string text, std::string_view what, const std::string& with) {
    for (std::size_t at; (at = text.find(what)) != std::string::npos;) text.replace(at, what.size(), with);
    return text;
}

// The expected messages, by file.
std::map<std::string, std::vector<std::string>> read_expected() {
    std::vector<std::string> action_names, policy_names;
    for (const ActionInfo& info : actions())
        if (info.name.find(' ') == std::string::npos) action_names.push_back(info.name);
    for (const PolicyInfo& info : policies()) policy_names.push_back(info.name);

    std::map<std::string, std::vector<std::string>> expected;
    std::ifstream in(kFolder / "expected.txt");
    std::string file;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.front() == '#') continue;
        if (line.front() != ' ') {
            file = line;
            expected[file];
            continue;
        }
        line.erase(0, line.find_first_not_of(' '));
        line = replaced(line, "{actions}", fmt::format("{}", fmt::join(action_names, ", ")));
        line = replaced(line, "{policies}", fmt::format("{}", fmt::join(policy_names, ", ")));
        expected[file].push_back(line);
    }
    return expected;
}

std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(kFolder))
        if (entry.path().extension() == ".json") names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

// Returns the problems that `load` reports; empty if it succeeds. Files of tests/bad/ are named without
// their directory.
std::vector<std::string> problems_of(const std::function<void()>& load) {
    std::vector<std::string> lines;
    try {
        load();
    } catch (const ScenarioError& error) {
        const std::string prefix = kFolder.string() + "/";
        for (Problem problem : error.problems()) {
            if (problem.file.starts_with(prefix)) problem.file.erase(0, prefix.size());
            lines.push_back(problem.text());
        }
        EXPECT_FALSE(lines.empty()) << "an error without a problem";
    }
    return lines;
}

std::vector<std::string> problems_of_text(const std::string& text,
                                          const std::vector<std::string>& sets = {}) {
    return problems_of([&] { parse_scenario("t.json", text, sets); });
}

using Lines = std::vector<std::string>;

class BadFile : public testing::TestWithParam<std::string> {};

TEST_P(BadFile, ErrorMatchesExpectedMessageAndPosition) {
    static const auto expected = read_expected();
    const auto lines = expected.find(GetParam());
    ASSERT_NE(lines, expected.end()) << "expected.txt does not know this file";
    EXPECT_EQ(problems_of([] { load_scenario((kFolder / GetParam()).string()); }), lines->second);
}

INSTANTIATE_TEST_SUITE_P(All, BadFile, testing::ValuesIn(files()), [](const auto& instance) {
    std::string name = instance.param.substr(0, instance.param.find('.'));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
    return name;
});

TEST(BadFiles, MatchExpectedMessageList) {
    std::vector<std::string> known;
    for (const auto& [file, lines] : read_expected()) {
        known.push_back(file);
        EXPECT_FALSE(lines.empty()) << file;
    }
    EXPECT_EQ(known, files());
    EXPECT_GE(known.size(), 65u);
}

// --- input too large for a file in the repository ---

// A scenario with this task list, on one line.
std::string scenario_of(const std::string& tasks) {
    return R"({"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "until": "1s", "tasks": )" +
           tasks + "}";
}

std::string program_of(const std::string& steps) {
    return scenario_of(R"([{"name": "a", "program": [)" + steps + "]}]");
}

// Repeats `piece` until the text has `bytes` bytes.
std::string filled(std::string_view piece, std::size_t bytes) {
    std::string text;
    text.reserve(bytes);
    while (text.size() + piece.size() <= bytes) text += piece;
    return text;
}

// Concatenates make(0), make(1), ... until the text has `bytes` bytes.
std::string counted(const std::function<std::string(std::size_t)>& make, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0;; ++i) {
        const std::string piece = make(i);
        if (text.size() + piece.size() > bytes) return text;
        text += piece;
    }
}

constexpr std::size_t kRoom = kMaxJsonBytes - 1'000;

struct Large {
    const char* name;
    std::string (*text)();
    const char* message;  // substring of the first problem
};

void PrintTo(const Large& large, std::ostream* out) { *out << large.name; }

const Large kLarge[] = {
    {"AMillionListsInEachOther", [] { return std::string(1'000'000, '[') + std::string(1'000'000, ']'); },
     "1:65: this value is nested more than 64 levels deep"},
    {"ObjectsInEachOther", [] { return filled(R"({"a":)", kRoom); },
     "1:321: this value is nested more than 64 levels deep"},
    {"FourMebibytesOfOpeningBrackets", [] { return std::string(kMaxJsonBytes, '['); },
     "1:65: this value is nested more than 64 levels deep"},
    {"FourMebibytesOfClosingBrackets", [] { return std::string(kMaxJsonBytes, ']'); },
     "1:1: a value is missing before ']'"},
    {"OneByteTooMany", [] { return std::string(kMaxScenarioBytes + 1, '['); },
     "t.json: the input is larger than 32 MiB"},
    {"FourMebibytesOfDigits", [] { return std::string(kMaxJsonBytes, '7'); },
     "this number has more than 100 digits"},
    {"FourMebibytesOfDecimals", [] { return "0." + std::string(kRoom, '7'); },
     "this number has more than 100 digits"},
    {"OneString", [] { return '"' + std::string(kRoom, 'x') + '"'; }, "expected an object ({...})"},
    {"OneStringWithoutEnd", [] { return '"' + std::string(kRoom, 'x'); },
     "1:1: the closing quote of this string is missing"},
    {"OneStringOfEscapes", [] { return '"' + filled("\\u0041", kRoom) + '"'; }, "expected an object ({...})"},
    {"OneName",
     [] { return scenario_of(R"([{"name": ")" + std::string(kRoom, 'x') + R"(", "program": []}])"); },
     "this text is longer than 64 bytes"},
    {"OneTime", [] { return program_of(R"({"run": ")" + std::string(kRoom, '9') + R"(ms"})"); },
     "is too long; the maximum is 78h"},
    {"OneTimeOfDecimals", [] { return program_of(R"({"run": "0.)" + std::string(kRoom, '0') + R"(1ms"})"); },
     "finer than a nanosecond"},
    {"OneUnknownKey", [] { return "{\"" + std::string(kRoom, 'x') + "\": 1}"; },
     "\"format\": \"switchyard-scenario/1\" is missing"},
    {"OneUnknownAction", [] { return program_of('"' + std::string(kRoom, 'x') + '"'); },
     "unknown action 'xxx"},
    {"OnePolicy",
     [] {
         return R"({"format": "switchyard-scenario/1", "tasks": [], "machine": {}, "policy": ")" +
                std::string(kRoom, ',') + "\"}";
     },
     "this text is longer than 256 bytes"},
    {"OneMachine",
     [] {
         return R"({"format": "switchyard-scenario/1", "tasks": [], "machine": ")" + std::string(kRoom, 'x') +
                "\"}";
     },
     "this text is longer than 64 bytes"},
    {"OneComment", [] { return "/*" + std::string(kRoom, '*'); }, "this comment has no end"},
    {"CommentsOnly", [] { return filled("//\n", kRoom); }, "empty"},
    {"LinesOnly", [] { return std::string(kMaxJsonBytes, '\n'); }, "empty"},
    {"QuotesOnly", [] { return std::string(kMaxJsonBytes, '"'); }, "unexpected text after"},
    {"NulBytesOnly", [] { return std::string(kMaxJsonBytes, '\0'); }, "1:1: NUL byte"},
    {"LetterAFollowedByHighBytes", [] { return "a" + std::string(kRoom, '\x80'); },
     "1:2: byte 0x80 is not UTF-8 text"},
    {"FourMebibytesOfKeys",
     [] {
         return "{" + counted([](std::size_t i) { return fmt::format("\"k{}\":1,", i); }, kRoom) + "\"z\":1}";
     },
     "unknown key 'k0'; the keys here are format"},
    {"OneKeyAgainAndAgain", [] { return "{" + filled("\"ab\":1,", 7 * 390'000) + "\"z\":1}"; }, "\"format\""},
    {"EmptyKeys", [] { return "{" + filled("\"\":1,", kRoom) + "\"z\":1}"; },
     "expected at most 400000 JSON values"},
    {"KeysThatAreNearlyRight",
     [] {
         return "{" + counted([](std::size_t i) { return fmt::format("\"polic{}\":1,", i); }, kRoom) +
                "\"z\":1}";
     },
     "unknown key 'polic0'; did you mean 'policy'?"},
    {"EscapedKeys",
     [] {
         return "{" + counted([](std::size_t i) { return fmt::format("\"\\u0041{}\":1,", i); }, kRoom) +
                "\"z\":1}";
     },
     "/A0: unknown key 'A0'"},
    {"ListBelowALongKey",
     [] { return "{\"" + std::string(kRoom / 2, 'k') + "\": [" + filled("1,", 2 * 390'000) + "1]}"; },
     "\"format\""},
    {"TwiceBelowALongKey",
     [] { return "{\"" + std::string(kRoom / 2, 'k') + "\": {" + filled("\"a\":1,", 900'000) + "\"a\":1}}"; },
     "\"format\""},
    {"LongKeysInEachOther",
     [] {
         std::string text;
         for (int i = 0; i < 60; ++i) text += "{\"" + std::string(60'000, '~') + "\":";
         return text + "[" + filled("1,", 100'000) + "1]" + std::string(60, '}');
     },
     "\"format\""},
    {"Numbers", [] { return "[" + filled("1,", kRoom) + "1]"; }, "expected at most 400000 JSON values"},
    {"EmptyObjects", [] { return scenario_of("[" + filled("{},", 3 * 390'000) + "{}]"); },
     "390001 task groups; the limit is 65000"},
    {"EmptyLists", [] { return "[" + filled("[],", 3 * 390'000) + "1]"; }, "expected an object ({...})"},
    {"EmptyStrings", [] { return "[" + filled("\"\",", 3 * 390'000) + "1]"; }, "expected an object ({...})"},
    {"PairsOfBraces", [] { return "[" + filled("{\"\":{}},", 8 * 190'000) + "1]"; },
     "expected an object ({...})"},
    {"WrongTasks", [] { return scenario_of("[" + filled("{},", 3 * 60'000) + "{}]"); },
     "\"name\" is missing"},
    {"WrongSteps", [] { return program_of(filled("\"yeild\",", 8 * 390'000) + "\"yield\""); },
     "unknown action 'yeild'"},
    {"StepsThenAWrongOne", [] { return program_of(filled("\"yield\",", 8 * 390'000) + "\"yeild\""); },
     "unknown action 'yeild'"},
    {"LoopsThenAWrongStep",
     [] { return program_of(filled(R"({"loop":1,"steps":[]},)", 22 * 130'000) + "\"yeild\""); },
     "unknown action 'yeild'"},
    {"RunsThenAWrongStep", [] { return program_of(filled(R"({"run":"1s"},)", 13 * 190'000) + "\"yeild\""); },
     "unknown action 'yeild'"},
    {"ChannelsThenAWrongStep",
     [] {
         return program_of(
             counted([](std::size_t i) { return fmt::format("{{\"wake\":\"{}\"}},", i); }, 17 * 190'000) +
             "\"yeild\"");
     },
     "unknown action 'yeild'"},
    {"WrongClaims",
     [] {
         return R"({"format": "switchyard-scenario/1", "machine": {}, "tasks": [], "expect": [)" +
                filled("{},", 3 * 390'000) + "{}]}";
     },
     "390001 assertions; the limit is 1000"},
    {"ForksOfNobody",
     [] {
         const auto task = [](std::size_t i) {
             return fmt::format(
                 R"({{"name":"task-of-some-name-{}","program":[{{"fork":"task-of-some-name-x{}"}}]}},)", i,
                 i);
         };
         return scenario_of("[" + counted(task, kRoom) + "{}]");
     },
     "there is no task 'task-of-some-name-x0'"},
    {"TasksOfOneName",
     [] { return scenario_of("[" + filled(R"({"name":"a","program":[]},)", 60'000 * 26) + "{}]"); },
     "duplicate task name 'a'"},
    {"BlanksBeforeTheProblems",
     [] { return std::string(kRoom - 600'000, ' ') + scenario_of("[" + filled("{},", 150'000) + "{}]"); },
     "\"name\" is missing"},
};

class LargeInput : public testing::TestWithParam<Large> {};

TEST_P(LargeInput, IsRefusedWithoutQuadraticTime) {
    const std::string text = GetParam().text();
    ASSERT_LE(text.size(), kMaxScenarioBytes + 1);
    const std::clock_t begin = std::clock();  // CPU time, independent of other programs
    const Lines lines = problems_of_text(text);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    ASSERT_FALSE(lines.empty()) << "loads";
    EXPECT_NE(lines.front().find(GetParam().message), std::string::npos) << lines.front().substr(0, 1'000);
    EXPECT_LE(lines.size(), 51u);
    for (const std::string& line : lines) {
        EXPECT_LT(line.size(), 1'000u) << line.substr(0, 1'000);
        EXPECT_EQ(line.find('\n'), std::string::npos);
    }
#ifdef NDEBUG
    EXPECT_LT(seconds, 5.0);  // about 1 s; quadratic time would be minutes
#else
    EXPECT_LT(seconds, 30.0);
#endif
}

INSTANTIATE_TEST_SUITE_P(All, LargeInput, testing::ValuesIn(kLarge),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(BadInput, ProblemsBeyondFiftyAreOnlyCounted) {
    const Lines lines = problems_of_text(program_of(filled("\"yeild\",", 8 * 99'999) + "\"yeild\""));
    ASSERT_EQ(lines.size(), 51u);
    EXPECT_EQ(lines.front(),
              "t.json:1:118: /tasks/0/program/0: unknown action 'yeild'; did you mean 'yield'?");
    EXPECT_EQ(lines.at(49),
              "t.json:1:510: /tasks/0/program/49: unknown action 'yeild'; did you mean 'yield'?");
    EXPECT_EQ(lines.back(), "t.json: and 99950 more problems");
}

TEST(BadInput, DuplicateKeysCountAsProblems) {
    const Lines lines = problems_of_text(R"({"format": "switchyard-scenario/1", "machine": {}, "tasks": [])" +
                                         filled(",\"seed\":1", 9 * 101) + "}");
    ASSERT_EQ(lines.size(), 51u);
    EXPECT_EQ(lines.front(), "t.json:1:73: /seed: duplicate key");
}

TEST(BadInput, ProblemsAreSortedByPosition) {
    const Lines lines = problems_of_text(R"({
    "tasks": [{"name": "a", "program": ["yeild"], "count": -1}],
    "until": 3,
    "machine": {"hz": 0},
    "seed": "x",
    "seed": -1
})");
    EXPECT_EQ(lines, (Lines{
                         "t.json:1:1: \"format\": \"switchyard-scenario/1\" is missing",
                         "t.json:2:41: /tasks/0/program/0: unknown action 'yeild'; did you mean 'yield'?",
                         "t.json:2:60: /tasks/0/count: -1 is out of range: from 0 to 65000",
                         "t.json:3:14: /until: a time needs a unit; did you mean \"3ms\"?",
                         "t.json:4:23: /machine/hz: 0 is out of range: from 1 to 10000",
                         "t.json:6:5: /seed: duplicate key",
                         "t.json:6:13: /seed: -1 is out of range: from 0 to 9223372036854775807",
                     }));
}

TEST(BadInput, ColumnsCountCharactersNotBytes) {
    const Lines lines = problems_of_text(
        "{\"title\": \"h\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\", \"seed\": -1,\n\"format\": 1}");
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines.at(1), "t.json:1:27: /seed: -1 is out of range: from 0 to 9223372036854775807");
}

TEST(BadInput, EveryTruncatedScenarioIsRefused) {
    const std::string whole =
        program_of(R"({"loop": 2, "steps": [{"run": {"uniform": ["1.5us", "2ms"]}}]}, /* \u00e9 */ "yield")");
    ASSERT_EQ(problems_of_text(whole), Lines{});
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_EQ(problems_of_text(whole.substr(0, size)).size(), 1u) << size;
}

TEST(BadInput, ChangedByteRaisesOnlyScenarioError) {
    const std::string whole =
        program_of(R"({"loop": 2, "steps": [{"run": {"uniform": ["1.5us", "2ms"]}}]}, /* x */ "yield")");
    std::size_t loaded = 0, refused = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
        for (const char c : {'\0', '\n', '"', '\\', ',', '{', '}', '[', ']', '/', '*', '-', '9', 'e', '.',
                             '\x7f', '\x80', '\xff'}) {
            std::string text = whole;
            text[i] = c;
            // Expects that the text is loaded, or that it is rejected with problems whose positions are in
            // this file.
            const Lines lines = problems_of_text(text);
            ++(lines.empty() ? loaded : refused);
            for (const std::string& line : lines)
                EXPECT_TRUE(line.starts_with("t.json:")) << "byte " << i << ": " << line;
        }
    EXPECT_GT(loaded, 0u);
    EXPECT_GT(refused, loaded);
}

// --- paths that are not files, or files that change ---

class BadPath : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) / fmt::format("bad-path-{}", ::getpid());
        fs::create_directories(folder_);
    }
    void TearDown() override {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    std::string path(const char* name) const { return (folder_ / name).string(); }

    static Lines load(const std::string& path) {
        return problems_of([&] { load_scenario(path); });
    }

    fs::path folder_;
};

TEST_F(BadPath, DirectoryIsRefused) {
    EXPECT_EQ(load(folder_.string()), Lines{folder_.string() + ": expected a file, got a directory"});
}

TEST_F(BadPath, AMissingFileIsNamed) {
    EXPECT_EQ(load(path("none.json")), Lines{path("none.json") + ": no such file"});
}

TEST_F(BadPath, MisspeltBuiltInNameGetsSuggestion) {
    EXPECT_EQ(load("yield-proceses"),
              Lines{"yield-proceses: no such file or scenario; did you mean 'yield-processes'? "
                    "(`switchyard list scenarios` lists the scenarios)"});
}

TEST_F(BadPath, FileBelowRegularFileIsMissing) {
    std::ofstream(path("plain")) << "{}";
    EXPECT_EQ(load(path("plain/x.json")), Lines{path("plain/x.json") + ": no such file"});
}

TEST_F(BadPath, TooLongNameIsRefused) {
    const std::string name = path(std::string(300, 'x').c_str()) + ".json";
    EXPECT_EQ(load(name), Lines{name + ": File name too long"});
}

TEST_F(BadPath, CircularSymlinkIsRefused) {
    fs::create_symlink("self.json", folder_ / "self.json");
    EXPECT_EQ(load(path("self.json")), Lines{path("self.json") + ": Too many levels of symbolic links"});
}

TEST_F(BadPath, UnreadableFileIsRefused) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    std::ofstream(path("secret.json")) << "{}";
    fs::permissions(path("secret.json"), fs::perms::none);
    EXPECT_EQ(load(path("secret.json")),
              Lines{path("secret.json") + ": cannot be opened: Permission denied"});
}

TEST_F(BadPath, PipeIsRefusedWithoutBlocking) {
    ASSERT_EQ(::mkfifo(path("pipe.json").c_str(), 0600), 0);
    EXPECT_EQ(load(path("pipe.json")),
              Lines{path("pipe.json") +
                    ": this is not a regular file; to read from a pipe, use '-' (standard input)"});
}

TEST_F(BadPath, ADeviceIsRefused) {
    EXPECT_EQ(load("/dev/zero"),
              Lines{"/dev/zero: this is not a regular file; to read from a pipe, use '-' (standard input)"});
}

// Returns the number of bytes that this process has read so far, on Linux.
std::uint64_t bytes_read() {
    std::ifstream in("/proc/self/io");
    for (std::string name, value; in >> name >> value;)
        if (name == "rchar:") return std::stoull(value);
    return 0;
}

TEST_F(BadPath, HugeFileIsRefusedUnread) {
    std::ofstream(path("sparse.json")) << "{";
    fs::resize_file(path("sparse.json"), std::uintmax_t{1} << 36);
    // The file is unreadable. So if the program read the file before checking its size, the message would
    // be different.
    fs::permissions(path("sparse.json"), fs::perms::none);
    const std::uint64_t before = bytes_read();
    EXPECT_EQ(load(path("sparse.json")), Lines{path("sparse.json") + ": the file is larger than 32 MiB"});
    EXPECT_LT(bytes_read() - before, std::uint64_t{1} << 20);
}

TEST_F(BadPath, FileGrowingDuringReadIsReported) {
    const std::string text = program_of("\"yield\"") + std::string(1 << 20, ' ');
    std::atomic<bool> over = false;
    std::size_t noticed = 0;
    for (int round = 0; round < 200 && noticed == 0; ++round) {
        over = false;
        std::ofstream(path("growing.json")) << text;
        std::thread writer([&] {
            std::ofstream out(path("growing.json"), std::ios::app);
            for (int i = 0; i < 20'000 && !over; ++i) out << "   " << std::flush;
        });
        for (int i = 0; i < 20; ++i) {
            const Lines lines = load(path("growing.json"));
            if (lines.empty()) continue;  // file did not change during this read
            EXPECT_EQ(lines, Lines{path("growing.json") + ": the file changed while it was being read"});
            ++noticed;
        }
        over = true;
        writer.join();
    }
    EXPECT_GT(noticed, 0u);
}

TEST_F(BadPath, BadMachineFileIsRefused) {
    fs::create_directories(folder_ / "machines" / "folder.json");
    ASSERT_EQ(::mkfifo(path("machines/pipe.json").c_str(), 0600), 0);
    std::ofstream(path("machines/large.json")) << std::string(kMaxJsonBytes + 1, '[');
    const auto on = [&](const std::string& machine) {
        std::ofstream(path("s.json"))
            << R"({"format": "switchyard-scenario/1", "tasks": [], "machine": ")" << machine << "\"}";
        return load(path("s.json"));
    };
    EXPECT_EQ(on("folder"), Lines{path("machines/folder.json") + ": expected a file, got a directory"});
    EXPECT_EQ(on("pipe"),
              Lines{path("machines/pipe.json") +
                    ": this is not a regular file; to read from a pipe, use '-' (standard input)"});
    EXPECT_EQ(on("large"), Lines{path("machines/large.json") + ": the file is larger than 4 MiB"});
}

// --- --set ---

struct WrongSet {
    const char* assignment;
    const char* problem;
};

TEST(SetOption, ErrorNamesFaultyAssignment) {
    const std::string text = program_of("\"yield\"");
    ASSERT_EQ(problems_of_text(text), Lines{});
    const WrongSet wrong[] = {
        {"/tasks/0/count", "expected POINTER=VALUE, like /tasks/0/count=10"},
        {"", "expected POINTER=VALUE, like /tasks/0/count=10"},
        {"=3", "cannot set the whole scenario, only a value in it"},
        {"/task/0/count=3", "cannot set a value in '/task/0': it does not exist"},
        {"/tasks/1/count=3", "cannot set a value in '/tasks/1': it does not exist"},
        {"/tasks/1={}", "no such element: '/tasks' has 1 elements, numbered from 0"},
        {"/tasks/-={}", "no such element: '/tasks' has 1 elements, numbered from 0"},
        {"/tasks/00={}", "no such element: '/tasks' has 1 elements, numbered from 0"},
        {"/tasks/99999999999999999999999/count=3",
         "cannot set a value in '/tasks/99999999999999999999999': it does not exist"},
        {"/tasks/one/count=3", "cannot set a value in '/tasks/one': it does not exist"},
        {"/until/x=3", "'/until' is a string, which has no members"},
        {"/tasks/0/program/0/x=3", "'/tasks/0/program/0' is a string, which has no members"},
        {"/ti~tle=3", "not a JSON pointer; write it like /tasks/0/count"},
        {"/title=\"\xff\"", "byte 0xff is not UTF-8 text; save the file as UTF-8"},
        {"/\xff=3", "byte 0xff is not UTF-8 text; save the file as UTF-8"},
        {"/tasks/0={\"name\": \"a\", \"name\": \"b\"}", "/name: duplicate key"},
        {"/tasks/0/count=many", "/tasks/0/count: expected a whole number, got the string \"many\""},
        {"tasks/0/count=-1", "/tasks/0/count: -1 is out of range: from 0 to 65000"},
        {"/until=5", "/until: a time needs a unit; did you mean \"5ms\"?"},
        {"/until=", "/until: '' is not a time; write it like \"200ms\"; units are ns, us, ms, s, min, h"},
        {"/polcy=round-robin", "/polcy: unknown key 'polcy'; did you mean 'policy'?"},
        {"/machine/cosst/syscall=3us", "/machine/cosst: unknown key 'cosst'; did you mean 'costs'?"},
        {"/machine/costs/syscall/time/unit=us",
         "/machine/costs/syscall/time: expected a time, got an object; write it like \"200ms\"; units "
         "are ns, us, ms, s, min, h"},
        {"/machine/a/b/c/d/e/f/g/h/i/j/k=3",
         "cannot set a value in '/machine/a/b/c/d/e/f/g/h/i/j': it does not exist"},
        {"/machine/hz=fast", "/machine/hz: expected a whole number, got the string \"fast\""},
        {"/machine/base=pentium",
         "/machine/base: unknown machine 'pentium'; did you mean 'pentium-mmx-200'?"},
        {"/machine/costs/syscall=3", "/machine/costs/syscall: a time needs a unit; did you mean \"3ms\"?"},
        {"/tasks/0/class={\"\\u0000\": []}", "/\\x00: U+0000 is a control character"},
        {"/=3", "/: unknown key ''; the keys here are"},
    };
    for (const auto& [assignment, problem] : wrong) {
        const Lines lines = problems_of_text(text, {assignment});
        ASSERT_EQ(lines.size(), 1u) << assignment << fmt::format("\n{}", fmt::join(lines, "\n"));
        EXPECT_TRUE(lines.front().starts_with(fmt::format("--set {}:", printable(assignment))))
            << lines.front();
        EXPECT_NE(lines.front().find(problem), std::string::npos) << lines.front();
    }
}

TEST(SetOption, LongValueIsReportedInShortLine) {
    const std::string text = program_of("\"yield\"");
    for (const std::string& value : {std::string(100'000, 'x'), std::string("1\n2\x1b[31m\xc2\x9b")}) {
        const Lines lines = problems_of_text(text, {"/tasks/0/count=" + value});
        ASSERT_EQ(lines.size(), 1u);
        EXPECT_LT(lines.front().size(), 300u);
        EXPECT_EQ(lines.front().find_first_of("\n\x1b\x9b"), std::string::npos);
    }
    EXPECT_EQ(problems_of_text(text, {"/title=" + std::string(100'000, '[')}).size(), 1u);
    EXPECT_EQ(problems_of_text(text, {"/title=" + std::string(65, '[') + std::string(65, ']')}).size(), 1u);
}

TEST(SetOption, ObjectWithThousandKeysIsParsed) {
    std::string object = "{\"name\": \"b\"";
    for (int i = 0; i <= 1000; ++i) object += fmt::format(", \"key_{}\": 0", i);
    const Lines lines = problems_of_text(program_of("\"yield\""), {"/tasks/0=" + object + "}"});
    ASSERT_FALSE(lines.empty());
    EXPECT_NE(lines.front().find("unknown key 'key_0'"), std::string::npos) << lines.front();
}

TEST(SetOption, LastOfConflictingAssignmentsIsReported) {
    const std::string text = program_of("\"yield\"");
    EXPECT_EQ(problems_of_text(text, {"/tasks/0/count=-1", "/tasks/0/count=-2"}),
              Lines{"--set /tasks/0/count=-2: /tasks/0/count: -2 is out of range: from 0 to 65000"});
    EXPECT_EQ(problems_of_text(text, {R"(/tasks/0={"name": "b", "program": []})", "/tasks/0/count=-2"}),
              Lines{"--set /tasks/0/count=-2: /tasks/0/count: -2 is out of range: from 0 to 65000"});
    EXPECT_EQ(
        problems_of_text(text,
                         {"/tasks/0/count=-1", R"(/tasks/0={"name": "b", "program": [], "count": -2})"}),
        Lines{
            R"(--set /tasks/0={"name": "b", "program": [], "count": -2}: /tasks/0/count: -2 is out of range: from 0 to 65000)"});
}

// --- valid input in unusual form ---

TEST(JsonTree, ValueHasPointerAndSourcePosition) {
    JsonTree tree("t.json", "{\"b\": 1, // a/b below\n \"a/b\": [true,\n  {\"~\": \"\\u00e9\"}]}");
    const JsonValue& list = *tree.root().find("a/b");
    const JsonValue& deepest = *list[1].find("~");
    EXPECT_EQ(deepest.pointer(), "/a~1b/1/~0");
    EXPECT_EQ(deepest.text(), "\xc3\xa9");
    EXPECT_EQ(tree.problem_at(deepest, "x").text(), "t.json:3:9: /a~1b/1/~0: x");
    EXPECT_EQ(tree.problem_at(deepest, "x", /*at_key=*/true).text(), "t.json:3:4: /a~1b/1/~0: x");
    EXPECT_EQ(tree.problem_at("/a~1b/7/c", "x").text(), "t.json:2:9: /a~1b/7/c: x");
    EXPECT_EQ(tree.root().to_nlohmann_json(),
              nlohmann::json::parse(R"({"a/b": [true, {"~": "\u00e9"}], "b": 1})"));

    tree.set("/a~1b/0={\"c\": 2}");
    EXPECT_EQ(tree.problem_at(*list[0].find("c"), "x").text(), "--set /a~1b/0={\"c\": 2}: /a~1b/0/c: x");
}

TEST(BadMachine, MoreThan16BasesAreRefused) {
    const fs::path root = fs::path(testing::TempDir()) / fmt::format("switchyard-bases-{}", ::getpid());
    fs::create_directories(root / "machines");
    constexpr int kFiles = 200;
    for (int i = 0; i < kFiles; ++i)
        std::ofstream(root / "machines" / fmt::format("m{}.json", i))
            << fmt::format(R"({{"format": "switchyard-machine/1", "base": "{}"}})",
                           i + 1 < kFiles ? fmt::format("m{}", i + 1) : "pentium-mmx-200");
    const auto problems_with = [&](const char* machine) {
        const std::string text = fmt::format(
            R"({{"format": "switchyard-scenario/1", "machine": "{}", "tasks": [{{"name": "a", "program": [{{"run": "1ms"}}]}}]}})",
            machine);
        return problems_of([&] { (void)parse_scenario("t.json", text, {}, root.string()); });
    };
    EXPECT_EQ(problems_with("m190"), Lines{});
    const Lines lines = problems_with("m0");
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(lines.front().find("expected at most 16 base machines in a chain"), std::string::npos)
        << lines.front();
    fs::remove_all(root);
}

TEST(GoodInput, CommentsAndByteOrderMarkAreAccepted) {
    const std::string text = "\xef\xbb\xbf// a comment\r\n/* and * another / one **/ " +
                             program_of("\"yield\" /**/") + " // the last";
    EXPECT_EQ(problems_of_text(text), Lines{});
}

TEST(GoodInput, TimesAreExactInEveryUnit) {
    const std::pair<const char*, Nanos> times[] = {{"0ns", 0ns},
                                                   {"7ns", 7ns},
                                                   {"1.5us", 1'500ns},
                                                   {"1.5\xc2\xb5s", 1'500ns},
                                                   {"1.5\xce\xbcs", 1'500ns},
                                                   {"0.001us", 1ns},
                                                   {"2.5ms", 2'500us},
                                                   {".5s", 500ms},
                                                   {"5.s", 5s},
                                                   {"0.5min", 30s},
                                                   {"78h", 78h},
                                                   {"1 ms", 1ms},
                                                   {"0.000000001s", 1ns},
                                                   {"1.50000000000000000000s", 1'500ms},
                                                   {"000001ms", 1ms}};
    for (const auto& [text, time] : times) {
        std::string why;
        EXPECT_EQ(parse_time(text, why), time) << text << why;
    }
}

TEST(GoodInput, FormattedTimeParsesBack) {
    for (std::int64_t n = 0; n < kHorizon.count(); n = n * 3 + 1) {
        std::string why;
        EXPECT_EQ(parse_time(format_time(Nanos{n}), why), Nanos{n}) << why;
    }
}

TEST(GoodInput, InlineMachineOverridesBaseValues) {
    const std::string text = R"({"format": "switchyard-scenario/1", "tasks": [],
                                 "machine": {"base": "pentium-mmx-200", "hz": 1000, "costs": {"syscall": "3us"}}})";
    const Scenario base = parse_scenario("t.json", program_of("\"yield\""));
    const Scenario changed = parse_scenario("t.json", text);
    EXPECT_EQ(changed.machine.hz, 1000u);
    EXPECT_EQ(changed.machine.costs.syscall.time, 3us);
    EXPECT_EQ(changed.machine.costs.schedule.time, base.machine.costs.schedule.time);
    EXPECT_EQ(changed.machine.costs.switch_other_mm.time, base.machine.costs.switch_other_mm.time);
}

TEST(SetOption, ChangesValuesOfNamedMachine) {
    const std::vector<std::string> sets = {"/machine/hz=1000", "/machine/costs/syscall=3us",
                                           "/tasks/0/count=5", "/title=two words",
                                           "/tasks/0/program/0={\"run\": \"1ms\"}"};
    const Scenario scenario = parse_scenario("t.json", program_of("\"yield\""), sets);
    EXPECT_EQ(scenario.machine.name, "pentium-mmx-200");
    EXPECT_EQ(scenario.machine.hz, 1000u);
    EXPECT_EQ(scenario.machine.costs.syscall.time, 3us);
    EXPECT_GT(scenario.machine.costs.considered.time, 0ns);
    EXPECT_EQ(scenario.groups.at(0).count, 5u);
    EXPECT_EQ(scenario.title, "two words");
    EXPECT_EQ(scenario.durations.size(), 1u);
}

TEST(SetOption, ChangesCacheAndTlbOfNamedMachine) {
    const Scenario base = load_scenario("lat-ctx");
    const std::vector<std::string> sets = {"/machine/cache/footprint/size=2KiB", "/machine/tlb/entries=32"};
    const Scenario changed = load_scenario("lat-ctx", sets);
    EXPECT_EQ(changed.machine.costs.cache.footprint, 2048u);
    EXPECT_EQ(changed.machine.costs.cache.size, base.machine.costs.cache.size);
    EXPECT_EQ(changed.machine.costs.tlb.entries, 32u);
}

TEST(GoodInput, LocalMachineFilePrecedesBuiltIn) {
    const fs::path folder = fs::path(testing::TempDir()) / fmt::format("machines-{}", ::getpid());
    fs::create_directories(folder / "machines");
    std::ofstream(folder / "machines" / "pentium-mmx-200.json")
        << R"({"format": "switchyard-machine/1", "hz": 1024})";
    std::ofstream(folder / "s.json") << program_of("{\"run\": \"1ms\"}");
    EXPECT_EQ(load_scenario((folder / "s.json").string()).machine.hz, 1024u);
    fs::remove_all(folder);
}

TEST(GoodInput, LoopsNestUpToSixteenDeep) {
    std::string steps = "\"yield\"";
    for (int i = 0; i < 16; ++i) steps = R"({"loop": 2, "steps": [)" + steps + "]}";
    EXPECT_EQ(problems_of_text(program_of(steps)), Lines{});
    EXPECT_EQ(problems_of_text(program_of(R"({"loop": 2, "steps": [)" + steps + "]}")).size(), 1u);
}

TEST(GoodInput, SixtyFiveThousandTaskGroupsLoad) {
    const auto task = [](std::size_t i) {
        return fmt::format(R"({{"name":"t{}","program":["yield"]}},)", i);
    };
    std::string tasks = "[";
    for (std::size_t i = 0; i < kMaxTasks; ++i) tasks += task(i);
    tasks.back() = ']';
    EXPECT_EQ(problems_of_text(scenario_of(tasks)), Lines{});
}

}  // namespace bad_input_test
}  // namespace sim
