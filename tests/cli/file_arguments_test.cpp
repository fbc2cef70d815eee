// Tests that file arguments are validated before a command does anything.
#include <string>

#include "tests/support/command_line.h"

namespace file_arguments_test {

using FileArguments = CommandLine;

TEST_F(FileArguments, ConflictingPathsAreRejected) {
    const Words sweep{"sweep", "two-hogs", "--vary", "/tasks/0/count=1,2", "--until", "1s", "--results", "r"};
    output(sweep);
    const std::string results = content_of(folder() / "r");
    Words other = sweep;
    other.insert(other.end(), {"--set", "/machine/hz=1000"});
    expect_refused(other, "the file contains the results of a different sweep: --set, --seed or --until: ");
    Words again = sweep;
    again.insert(again.end(), {"--output", "./r"});
    expect_refused(again,
                   "--results r and --output ./r: the same file is used twice; specify two different files");
    expect_refused(
        {"sweep", "two-hogs", "--vary", "/tasks/0/count=1", "--results", "new", "--output", "./new"},
        "the same file is used twice");
    expect_refused({"sweep", "--results-from", "r", "--output", "r"},
                   "--output r: --results-from reads this file; write to another file");
    expect_refused({"sweep", "--merge", "r", "--output", "r"}, "--merge reads this file");
    expect_refused({"reproduce", "yield-table", "--picture", "p", "--output", "p"},
                   "the same file is used twice");
    EXPECT_EQ(content_of(folder() / "r"), results);

    const std::string scenario = output({"save", "two-hogs"});
    write_file(folder() / "s.json", scenario);
    std::filesystem::create_symlink("s.json", folder() / "link.json");
    expect_refused({"run", "s.json", "--output", "link.json"}, "SCENARIO reads this file");
    EXPECT_EQ(content_of(folder() / "s.json"), scenario);
    // `save` may overwrite its input, because the result is a scenario again.
    output({"save", "s.json", "--seed", "7", "--output", "s.json"});
    EXPECT_NE(content_of(folder() / "s.json"), scenario);
    // A link and its missing target are the same file. A link to itself cannot be written.
    std::filesystem::create_symlink("later", folder() / "link");
    const Words both{"reproduce", "yield-table", "--picture", "link", "--output", "later"};
    expect_refused(both, "the same file is used twice");
    std::filesystem::create_symlink("loop", folder() / "loop");
    expect_refused({"reproduce", "yield-table", "--picture", "loop", "--output", "later"},
                   "loop: cannot be written");
    // The name of a built-in scenario is not a file, unless a file of that name exists; then the file is
    // read.
    const Words by_name{"run", "two-hogs", "--until", "1s", "--output", "two-hogs"};
    output(by_name);
    expect_refused(by_name, "SCENARIO reads this file");
    // The number of a lesson or a question is not a file argument, even if a file of that name exists.
    for (int twice = 0; twice < 2; ++twice) {
        output({"lesson", "4", "--output", "4"});
        output({"quiz", "which-yield", "--first", "3", "--count", "1", "--sheet", "--output", "3"});
    }
}

TEST_F(FileArguments, UnwritableOutputIsRejectedBeforeWork) {
    // Outputs are checked even before inputs are read: the scenario does not exist, but the error is about
    // the output path.
    const std::string why = "no/x: cannot be written: No such file or directory";
    expect_refused({"run", "nobody", "--output", "no/x"}, why);
    expect_refused({"compare", "nobody", "--output", "no/x"}, why);
    expect_refused({"figure", "costs", "nobody", "--output", "no/x"}, why);
    expect_refused({"reproduce", "nothing", "--picture", "no/x"}, why);
    expect_refused({"sweep", "two-hogs", "--vary", "/tasks/0/count=1,2", "--until", "1s", "--results", "r",
                    "--output", "no/x"},
                   why);
    EXPECT_FALSE(std::filesystem::exists(folder() / "r"));
    write_file(folder() / "roster", "id,name\n1,Ann\n");
    output({"quiz", "--class", "roster", "--count", "1", "--output", "made"});
    EXPECT_TRUE(std::filesystem::is_directory(folder() / "made")) << "a folder to make is no file";
}

}  // namespace file_arguments_test
