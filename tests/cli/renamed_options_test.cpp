// Tests of the old names of options: each old name still works, with a notice, but is shown nowhere else.
#include <algorithm>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/command_line.h"

namespace renamed_options_test {

struct Renamed {
    std::string old_name, name;
    Words words;  // a command line that uses the new name
    std::string input = {};
};

const std::vector<Renamed> kRenamed{
    {"--noisy", "--allow-noise", {"calibrate", "--samples", "missing.json", "--allow-noise"}},
    {"--same",
     "--exit-code",
     {"compare", "interactive-vs-hog", "--until", "1s", "--policy", "round-robin", "--exit-code"}},
    {"--along", "--x-axis", {"figure", "sweep", "r.jsonl", "--x-axis", "/tasks/0/count"}},
    {"--by", "--row-per", {"figure", "gantt", "two-hogs", "--to", "300ms", "--row-per", "task"}},
    {"--of", "--waits", {"figure", "latency", "two-hogs", "--until", "300ms", "--waits", "wakeup"}},
    {"--scenario", "--show-scenario", {"grade", "--tests", "first-scheduler", "--show-scenario", "three"}},
    {"--unfolded", "--no-loops", {"import", "tests/recordings/tracefs.txt", "--quiet", "--no-loops"}},
    {"--bare", "--no-controls", {"link", "two-hogs", "--pane", "decision", "--no-controls"}},
    {"--base", "--base-url", {"link", "two-hogs", "--base-url", "https://example.org/"}},
    {"--panel", "--pane", {"link", "two-hogs", "--pane", "decision"}},
    {"--present", "--presenter", {"link", "two-hogs", "--presenter"}},
    {"--read", "--decode", {"link", "--decode", "#v=1&scenario=two-hogs"}},
    {"--show", "--range", {"link", "two-hogs", "--range", "1ms..2ms"}},
    {"--text", "--inline-scenario", {"link", "two-hogs", "--inline-scenario"}},
    {"--with",
     "--lab-policy",
     {"link", "two-hogs", "--vary", "/tasks/0/nice=0,5", "--lab-policy", "nt4", "--lab-policy", "linux-2.0"}},
    {"--like", "--template", {"new", "policy", "mine", "--template", "missing"}},
    {"--answers", "--show-answers", {"quiz", "--count", "1", "--show-answers"}},
    {"--from", "--first", {"quiz", "--count", "1", "--sheet", "--first", "3"}},
    {"--save", "--save-answers", {"quiz", "--count", "1", "--save-answers", "answers.json"}, "a\n"},
    {"--for", "--duration", {"record", "--duration", "0s"}},
    {"--save", "--save-trace", {"record", "--save-trace", "missing/trace", "--", "true"}},
    {"--unfolded", "--no-loops", {"record", "--no-loops", "--duration", "0s"}},
    {"--differences",
     "--explain-first-difference",
     {"reschedule", "tests/recordings/tracefs.txt", "--quiet", "--explain-first-difference"}},
    {"--lines", "--trace-script", {"step", "--policy", "linux_2_0", "--trace-script"}, "task A\nstart\n"},
    {"--along",
     "--x-axis",
     {"sweep", "two-hogs", "--vary", "/tasks/0/count=1,2", "--until", "1ms", "--x-axis", "/tasks/0/count"}},
    {"--from", "--results-from", {"sweep", "--results-from", "r.jsonl"}},
};

class RenamedOptions : public CommandLine {
  protected:
    void SetUp() override {
        CommandLine::SetUp();
        output(
            {"sweep", "two-hogs", "--vary", "/tasks/0/count=1,2", "--until", "1ms", "--results", "r.jsonl"});
    }
    static std::string notice(const Renamed& renamed) {
        return fmt::format("switchyard: {} is now {}\n", renamed.old_name, renamed.name);
    }
};

TEST_F(RenamedOptions, OldNameWorksAndPrintsOneNotice) {
    for (const Renamed& renamed : kRenamed) {
        Words old_words = renamed.words;
        std::replace(old_words.begin(), old_words.end(), renamed.name, renamed.old_name);
        ASSERT_NE(old_words, renamed.words) << joined(renamed.words);
        const Finished now = switchyard(renamed.words, renamed.input);
        const Finished before = switchyard(old_words, renamed.input);
        EXPECT_EQ(before.exit_code, now.exit_code) << joined(old_words) << before;
        EXPECT_EQ(before.out, now.out) << joined(old_words);
        EXPECT_EQ(before.err, notice(renamed) + now.err) << joined(old_words);
        EXPECT_EQ(now.err.find("is now"), std::string::npos) << now;
        EXPECT_EQ(now.err.find("unknown option"), std::string::npos) << now;
    }
}

TEST_F(RenamedOptions, HelpAndCompletionShowPresentNamesOnly) {
    for (const Renamed& renamed : kRenamed) {
        const std::string& command = renamed.words.front();
        const std::regex old_name("[^a-z-]" + renamed.old_name + "[^a-z-]");
        const std::regex name("[^a-z-]" + renamed.name + "[^a-z-]");
        for (const Words& words : {Words{command, "--help"}, Words{"complete", "--", command, "--"}}) {
            const std::string text = "\n" + output(words);
            EXPECT_FALSE(std::regex_search(text, old_name)) << joined(words) << " " << renamed.old_name;
            EXPECT_TRUE(std::regex_search(text, name)) << joined(words) << " " << renamed.name;
        }
    }
    expect_refused({"figure", "gantt", "two-hogs", "--x-axs", "/x"}, "did you mean '--x-axis'?");
}

TEST_F(RenamedOptions, OldNameMayHaveValueAfterEqualsSign) {
    const Finished f = switchyard({"link", "two-hogs", "--base=https://example.org/?a=--read"});
    EXPECT_EQ(f.out, output({"link", "two-hogs", "--base-url", "https://example.org/?a=--read"}));
    EXPECT_EQ(f.err, "switchyard: --base is now --base-url\n");
}

TEST_F(RenamedOptions, ValuesAndWordsAfterDoubleDashStay) {
    EXPECT_NE(output({"figure", "gantt", "two-hogs", "--to", "1ms", "--title", "--by"}).find(">--by<"),
              std::string::npos);
    expect_refused({"quiz", "--sheet", "-o", "--from", "--first", "0"}, "--first: expected 1 to");
    const Finished f = switchyard({"step", "--", "--lines"});
    EXPECT_EQ(f.exit_code, 2);
    EXPECT_EQ(f.err.find("is now"), std::string::npos) << f;
    EXPECT_NE(f.err.find("--lines"), std::string::npos) << f;
}

TEST_F(RenamedOptions, OldNamesOfListsAreAccepted) {
    for (const auto& [old_name, name] : {std::pair("prices", "costs"), std::pair("numbers", "provenance")}) {
        const Finished f = switchyard({"list", old_name});
        EXPECT_EQ(f.exit_code, 0) << f;
        EXPECT_EQ(f.out, output({"list", name}));
        EXPECT_EQ(f.err, fmt::format("list: {} is now {}\n", old_name, name));
        EXPECT_EQ(output({"list", "--help"}).find(old_name), std::string::npos) << old_name;
    }
}

TEST_F(RenamedOptions, BothNamesAreTheSameOption) {
    const Finished f = switchyard({"quiz", "--sheet", "--first", "1", "--from", "2", "--from", "3"});
    EXPECT_EQ(f.exit_code, 2);
    EXPECT_EQ(f.out, "");
    EXPECT_EQ(f.err, "switchyard: --from is now --first\nswitchyard: --first: expected one value, got 3\n");
}

TEST_F(RenamedOptions, ValueAfterOldNameIsCompleted) {
    EXPECT_EQ(output({"complete", "--", "sweep", "two-hogs", "--vary", "/cpus=1,2", "--along", ""}),
              "/cpus\t\n");
}

TEST_F(RenamedOptions, OldMeasuresWorkAndPrintNotice) {
    for (const auto& [old_name, name] :
         {std::pair{"recalcs", "recalculations"}, std::pair{"recalcs-per-yield", "recalculations-per-yield"},
          std::pair{"jain", "jain-index"}}) {
        const Finished old = switchyard({"sweep", "--results-from", "r.jsonl", "--measure", old_name});
        const Finished now = switchyard({"sweep", "--results-from", "r.jsonl", "--measure", name});
        EXPECT_EQ(now.exit_code, 0) << now;
        EXPECT_EQ(now.err, "");
        EXPECT_EQ(old.out, now.out);
        EXPECT_EQ(old.err, std::string("--measure: ") + old_name + " is now " + name + "\n");
    }
}

// With the old and with the new name, the axis, the setting and the results are the same.
TEST_F(RenamedOptions, SweepTreatsOldAndNewKeyAsOne) {
    const std::string vary = "/machine/costs/steal=1us,2us", now = "/machine/costs/steal_time=1us,2us";
    const Words sweep{"sweep", "two-hogs", "--until", "1ms"};
    const auto run = [&](Words more) {
        more.insert(more.begin(), sweep.begin(), sweep.end());
        return switchyard(more);
    };
    const std::string notice = "--vary " + vary + ": \"steal\" is now \"steal_time\"\n";
    const Finished old = run({"--vary", vary}), current = run({"--vary", now});
    EXPECT_EQ(old.exit_code, 0) << old;
    EXPECT_EQ(old.err, notice);
    EXPECT_EQ(old.out, current.out);

    EXPECT_NE(run({"--vary", vary, "--vary", now}).err.find("this axis is specified twice"),
              std::string::npos);
    const Finished set = run({"--vary", now, "--set", "/machine/costs/steal=\"3us\""});
    EXPECT_EQ(set.exit_code, 2) << set;
    EXPECT_NE(set.err.find("another option sets"), std::string::npos) << set;

    ASSERT_EQ(run({"--vary", vary, "--results", "old.jsonl"}).exit_code, 0);
    EXPECT_EQ(run({"--vary", now, "--results", "old.jsonl"}).exit_code, 0);
    for (const char* axis : {"/machine/costs/steal", "/machine/costs/steal_time"})
        EXPECT_EQ(switchyard({"sweep", "--results-from", "old.jsonl", "--x-axis", axis}).exit_code, 0);
}

}  // namespace renamed_options_test
