// Tests of `switchyard save`: the saved scenario runs like the original with the same options.
#include <string>
#include <vector>

#include "tests/support/command_line.h"

namespace save_test {

class SaveCommand : public CommandLine {
  protected:
    std::string hash(Words words, const std::string& input = "") const {
        words.insert(words.begin(), "run");
        words.insert(words.end(), {"--format", "json"});
        return nlohmann::json::parse(output(words, input)).at("hash");
    }
};

TEST_F(SaveCommand, SavedFileRunsLikeOriginalWithOptions) {
    const Words options{
        "--set",    "/tasks/0/count=5",      "--until", "200ms", "--seed", "7", "--set", "hz=1",
        "--policy", "nt4@pentium-mmx-200-nt"};
    Words good = options;
    good[7] = "/machine/hz=1000";
    Words run{"yield-processes"}, save{"save", "yield-processes"};
    run.insert(run.end(), good.begin(), good.end());
    save.insert(save.end(), good.begin(), good.end());
    const std::string text = output(save);
    save.insert(save.end(), {"--output", "mine.json"});
    EXPECT_EQ(output(save), "");
    EXPECT_EQ(output({"check", "mine.json"}),
              "mine.json: valid; 75 tasks, machine pentium-mmx-200-nt, policy nt4, 7 assertions\n");
    EXPECT_EQ(hash({"mine.json"}), hash(run));
    EXPECT_EQ(hash({"-"}, text), hash(run)) << "standard output has the same file";
    EXPECT_NE(hash({"mine.json"}), hash({"yield-processes"}));
    // Without changes, standard input is copied byte for byte.
    EXPECT_EQ(output({"save", "-"}, text), text);

    Words bad{"save", "yield-processes", "--output", "mine.json"};
    bad.insert(bad.end(), options.begin(), options.end());
    expect_refused(bad, "--set hz=1: /hz: unknown key 'hz'");
    EXPECT_EQ(output({"save", "mine.json"}), text) << "what was there is there";
    expect_refused({"save", "two-hogs", "--policy", "linux-2.0", "--policy", "nt4"}, "one --policy");
    expect_refused({"save", "two-hogs", "--output", "nowhere/x.json"},
                   "nowhere/x.json: cannot be written: No such file or directory");
}

TEST_F(SaveCommand, RefusesDirectoryWhereMachineWouldDiffer) {
    std::filesystem::create_directories(folder() / "here/machines");
    std::filesystem::create_directories(folder() / "there");
    write_file(folder() / "here/machines/own.json",
               R"({"format": "switchyard-machine/1", "base": "pentium-mmx-200", "hz": 250})");
    write_file(folder() / "here/a.json", R"({"format": "switchyard-scenario/1", "machine": "own",
                                            "tasks": [{"name": "a", "program": [{"run": "1s"}]}]})");
    expect_refused(
        {"save", "here/a.json", "--output", "there/a.json"},
        "there/a.json: /machine: the scenario would use a different machine in this directory: unknown "
        "machine 'own'; `switchyard list machines` lists the machines; save it next to the original, or next "
        "to a copy of here/machines");
    EXPECT_FALSE(std::filesystem::exists(folder() / "there/a.json"));
    std::filesystem::copy(folder() / "here/machines", folder() / "there/machines");
    EXPECT_EQ(output({"save", "here/a.json", "--output", "there/a.json"}), "") << "as it was advised";
    EXPECT_EQ(hash({"there/a.json"}), hash({"here/a.json"}));
    // In the other directory, the base of the machine differs, but not the machine itself.
    write_file(folder() / "there/machines/kvm-8-core-2019.json",
               R"({"format": "switchyard-machine/1", "base": "pentium-mmx-200"})");
    expect_refused(
        {"save", "two-hogs", "--set", "/machine=kvm-8-core-production", "--output", "there/x.json"},
        "there/x.json: /machine: the scenario would use a different machine in this directory: "
        "there/machines contains a different description of the machine 'kvm-8-core-production' or of the "
        "sources of its values; save "
        "it in another directory");
    EXPECT_EQ(output({"save", "here/a.json", "--seed", "3", "--output", "here/b.json"}), "");
    EXPECT_EQ(hash({"here/b.json"}), hash({"here/a.json", "--seed", "3"}));
}

}  // namespace save_test
