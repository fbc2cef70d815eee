// Tests of Tab completion: called like the scripts of the shells do, and once through the bash script.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "tests/support/command_line.h"

namespace completion_test {

class Completion : public CommandLine {
  protected:
    // The candidates for the last word, without descriptions.
    Words complete(Words words) const {
        words.insert(words.begin(), {"complete", "--"});
        Words texts = lines_of(output(words));
        for (std::string& text : texts) text = text.substr(0, text.find('\t'));
        return texts;
    }
    bool offers(const Words& words, const std::string& candidate) const {
        const Words all = complete(words);
        return std::find(all.begin(), all.end(), candidate) != all.end();
    }
};

TEST_F(Completion, TheFirstWordIsACommand) {
    EXPECT_EQ(complete({""}), commands());
    EXPECT_EQ(complete({"re"}), (Words{"reproduce", "record", "reschedule"}));
    EXPECT_EQ(complete({"--v"}), Words{"--version"});
}

TEST_F(Completion, OfferedOptionsEqualThoseInHelp) {
    // Parses lines of the help text such as "-o,--output FILE description". The further lines of a
    // description are indented more.
    const std::regex option_line(R"(  (?:-\w,)?(--[a-z-]+)(?: .*)?)");
    for (const std::string& command : commands()) {
        const Words offered = complete({command, "--"});
        EXPECT_GE(offered.size(), 3u) << command;
        std::set<std::string> listed;
        for (const std::string& line : lines_of(output({command, "--help"})))
            if (std::smatch option; std::regex_match(line, option, option_line)) listed.insert(option[1]);
        EXPECT_EQ(std::set<std::string>(offered.begin(), offered.end()), listed) << command;
        EXPECT_EQ(offered.size(), listed.size()) << command << " offers an option twice";
        for (const std::string& line : lines_of(output({"complete", "--", command, "--"})))
            EXPECT_LT(line.find('\t'), line.size() - 1) << command << ", no description: " << line;
    }
    EXPECT_EQ(complete({"run", "two-hogs", "--pol"}), Words{"--policy"});
}

TEST_F(Completion, NonRepeatableOptionIsOfferedOnce) {
    EXPECT_FALSE(offers({"run", "two-hogs", "--seed", "3", "--"}, "--seed"));
    EXPECT_TRUE(offers({"run", "two-hogs", "--set", "/cpus=2", "--"}, "--set"));
}

TEST_F(Completion, AFlagTakesNoValue) {
    EXPECT_EQ(complete({"run", "--quiet", "two"}), Words{"two-hogs"});
    EXPECT_TRUE(offers({"run", "--quiet", "--"}, "--seed"));
    EXPECT_EQ(complete({"run", "--quiet="}), Words{});
}

TEST_F(Completion, ScenarioCandidatesIncludeFilesAndDirectories) {
    EXPECT_EQ(complete({"run", "two"}), Words{"two-hogs"});
    EXPECT_EQ(complete({"run", "two-hogs", ""}), Words{});
    EXPECT_EQ(complete({"check", "two-hogs", "web"}), Words{"web-server"});
    std::filesystem::create_directory(folder() / "mine");
    write_file(folder() / "mine/a scenario.json", "{}");
    write_file(folder() / "mine/notes.txt", "");
    EXPECT_EQ(complete({"run", "mi"}), Words{"mine/"});
    EXPECT_EQ(complete({"run", "two-hogs", "-o", "mi"}), Words{"mine/"});
    EXPECT_EQ(complete({"run", "mine/"}), Words{"mine/a scenario.json"});
}

// A completed word is part of the command that the user runs.
TEST_F(Completion, UnsafeNamesAndOptionLookalikesAreOmitted) {
    write_file(folder() / "fine.json",
               R"({"machine": {}, "hz --output=x": 1, "hz$x": 1, "hz~~": 1, "hz": 1, "tasks": []})");
    for (const char* name : {"fi --output=x.json", "fi`id`.json", "fi;id.json", "~fi.json"})
        write_file(folder() / name, "{}");
    EXPECT_EQ(complete({"run", "fi"}), Words{"fine.json"});
    EXPECT_EQ(complete({"run", "~"}), Words{});
    write_file(folder() / "--output=fine.json", "{}");
    EXPECT_FALSE(offers({"run", ""}, "--output=fine.json"));
    EXPECT_TRUE(offers({"run", "./"}, "./--output=fine.json"));
    EXPECT_EQ(complete({"run", "fine.json", "--set", "/h"}), (Words{"/hz~0~0=", "/hz="}));
    // A file with very many keys is skipped quickly.
    std::string many = "{\"machine\": {}";
    for (int i = 0; i < 100'000; ++i) many += ",\"" + std::to_string(i) + "\":0";
    write_file(folder() / "many.json", many + "}");
    EXPECT_EQ(complete({"run", "many.json", "--set", "/"}), Words{});
}

TEST_F(Completion, PolicyCompletesNameOptionsAndValues) {
    EXPECT_TRUE(offers({"run", "two-hogs", "--policy", ""}, "round-robin"));
    EXPECT_EQ(complete({"run", "two-hogs", "--policy", "linux-2.0"}),
              (Words{"linux-2.0", "linux-2.0:", "linux-2.0@"}));
    EXPECT_EQ(complete({"step", "two-hogs", "--policy", "linux-2.0"}), (Words{"linux-2.0", "linux-2.0:"}));
    EXPECT_EQ(complete({"compare", "two-hogs", "--policy", "nt4@pentium"}),
              (Words{"nt4@pentium-mmx-200", "nt4@pentium-mmx-200-nt"}));
    EXPECT_EQ(complete({"run", "two-hogs", "--policy", "linux-2.0:y"}), Words{"linux-2.0:yield="});
    EXPECT_EQ(complete({"run", "two-hogs", "--policy=linux-2.0:yield=o"}),
              (Words{"--policy=linux-2.0:yield=original", "--policy=linux-2.0:yield=one_tick"}));
    EXPECT_EQ(complete({"run", "two-hogs", "--policy", "linux-2.0:yield=one_tick"}),
              (Words{"linux-2.0:yield=one_tick", "linux-2.0:yield=one_tick,", "linux-2.0:yield=one_tick@"}));
    // An option is offered only once.
    EXPECT_EQ(complete({"run", "two-hogs", "--policy", "linux-2.0:yield=one_tick,"}),
              Words{"linux-2.0:yield=one_tick,rt_wake_preempts="});
}

TEST_F(Completion, SetAndVaryCompleteScenarioPaths) {
    EXPECT_TRUE(offers({"run", "two-hogs", "--set", ""}, "/tasks/"));
    EXPECT_TRUE(offers({"run", "two-hogs", "--set", "/"}, "/seed="));
    EXPECT_EQ(complete({"run", "yield-processes", "--set", "/tasks/0/cou"}), Words{"/tasks/0/count="});
    EXPECT_EQ(complete({"sweep", "yield-processes", "--vary", "/tasks/0/count="}), Words{"/tasks/0/count=2"});
    EXPECT_EQ(complete({"run", "yield-processes", "--set", "/machine/h"}), Words{"/machine/hz="});
    EXPECT_EQ(complete({"run", "two-hogs", "--set", "/policy=round"}), Words{"/policy=round-robin"});
    EXPECT_TRUE(offers({"run", "two-hogs", "--set", "/machine="}, "/machine=pentium-mmx-200"));
    EXPECT_EQ(complete({"sweep", "two-hogs", "--vary", "/cpus=1,2", "--x-axis", ""}), Words{"/cpus"});
    write_file(folder() / "own.json", R"({"tasks": [{"name": "a", "priority": 7}]})");
    EXPECT_EQ(complete({"run", "own.json", "--set", "/tasks/0/priority="}), Words{"/tasks/0/priority=7"});
}

TEST_F(Completion, LessonsCompleteToNumbers) {
    EXPECT_EQ(complete({"lesson", ""}),
              (Words{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"}));
}

TEST_F(Completion, OptionValuesCompleteToKnownWords) {
    EXPECT_EQ(complete({"run", "two-hogs", "--format", ""}), (Words{"text", "json"}));
    EXPECT_EQ(complete({"run", "two-hogs", "--view=vm"}), (Words{"--view=vmstat", "--view=vmstat-a"}));
    EXPECT_TRUE(offers({"list", ""}, "machines"));
    EXPECT_TRUE(offers({"quiz", ""}, "who-runs-next"));
    EXPECT_EQ(complete({"reproduce", "yield-t"}), Words{"yield-table"});
    EXPECT_EQ(complete({"figure", "timeline", "two"}), Words{"two-hogs"});
    EXPECT_TRUE(offers({"sweep", "two-hogs", "--measure", "us"}, "us-per-yield"));
    EXPECT_EQ(complete({"grade", "mine.lua", "--tests", "g"}), Words{"goodness"});
    EXPECT_TRUE(offers({"grade", "scenarios/policies/r"}, "scenarios/policies/rr.lua"));
    EXPECT_EQ(complete({"new", "policy", "mine", "--template", "mlf"}), Words{"mlfq"});
    EXPECT_TRUE(offers({"verify", "tests/decisions/linux-2.0."}, "tests/decisions/linux-2.0.jsonl"));
}

// If a line is invalid, completion offers no candidates and reports no errors, because the line is still
// incomplete.
TEST_F(Completion, InvalidLineGivesNoCandidates) {
    write_file(folder() / "broken.json", "{\"tasks\": [");
    for (const Words& words :
         {Words{"no-such-command", ""}, Words{"run", "no-such-scenario", "--set", "/"},
          Words{"run", "-", "--set", "/"}, Words{"run", "broken.json", "--set", "/"},
          Words{"run", "two-hogs", "--set", "/tasks/9/"}, Words{"run", "two-hogs", "--set", "/~"},
          Words{"run", "two-hogs", "--set", "no-pointer="}, Words{"run", "two-hogs", "--no-such-option="},
          Words{"run", "two-hogs", "--policy", "no-such-policy:"}, Words{"run", "no/such/folder/"},
          Words{"run", "--", "--no-such-file"}})
        EXPECT_EQ(complete(words), Words{}) << joined(words);
}

TEST_F(Completion, ShellMetacharactersAreNeverOffered) {
    write_file(folder() / "zz-fine.json", "{}");
    for (const char* file :
         {"zz$(touch x).json", "zz`x`.json", "zz;x.json", "zz&x.json", "zz\nx.json", "zz'x.json"})
        write_file(folder() / file, "{}");
    EXPECT_EQ(complete({"check", "zz"}), Words{"zz-fine.json"});
    write_file(folder() / "keys.json", R"json({"tasks": {"$(reboot)": 1, "a": 1, "`x`": {"b": 1}}})json");
    EXPECT_EQ(complete({"run", "keys.json", "--set", "/tasks/"}), Words{"/tasks/a="});
}

TEST_F(Completion, TooDeeplyNestedFileIsSkipped) {
    const std::string deep(1'000'000, '['), end(1'000'000, ']');
    write_file(folder() / "deep.json", R"({"tasks": [)" + deep + end + "]}");
    EXPECT_EQ(complete({"run", "deep.json", "--set", "/tasks/"}), Words{});
}

TEST_F(Completion, BashCompletesAfterColonAndEqualSign) {
    if (shell("bash -c 'complete && mapfile </dev/null'").exit_code != 0)
        GTEST_SKIP() << "there is no bash here";
    const std::string script = SWITCHYARD_SOURCE_DIR "/sim/command_line/completion/switchyard.bash";
    // Calls the script like bash does: with the line, and with the line split into words at
    // COMP_WORDBREAKS.
    const auto bash = [&](const std::string& line, const std::string& words) {
        const Finished f =
            shell(fmt::format("bash -c '. {}; compopt() {{ :; }}; COMP_LINE=\"{}\"; COMP_WORDS=({}); "
                              "COMP_POINT=${{#COMP_LINE}}; COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); "
                              "_switchyard; printf \"%s\\n\" \"${{COMPREPLY[@]}}\"'",
                              script, line, words));
        EXPECT_EQ(f.err, "") << line;
        return lines_of(f.out);
    };
    EXPECT_EQ(bash("switchyard rep", "switchyard rep"), Words{"reproduce"});
    EXPECT_EQ(bash("switchyard run two-hogs --pol", "switchyard run two-hogs --pol"), Words{"--policy"});
    EXPECT_EQ(bash("switchyard run two-hogs --format ", "switchyard run two-hogs --format \"\""),
              (Words{"text", "json"}));
    EXPECT_EQ(bash("switchyard run two-hogs --policy linux-2.0:yield=on",
                   "switchyard run two-hogs --policy linux-2.0 : yield = on"),
              Words{"one_tick"});
    EXPECT_EQ(bash("switchyard run two-hogs --policy nt4@kv", "switchyard run two-hogs --policy nt4 @ kv"),
              (Words{"kvm-8-core-2019", "kvm-8-core-production"}));
    EXPECT_EQ(bash("switchyard run two-hogs --set /policy=", "switchyard run two-hogs --set /policy ="),
              complete({"run", "two-hogs", "--policy", ""}));
}

}  // namespace completion_test
