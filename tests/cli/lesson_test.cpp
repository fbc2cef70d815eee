// Tests of `switchyard lesson`: contents of handouts with fakes of pandoc and weasyprint, and with the real
// programs if installed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/command_line.h"
#include "tests/support/xml_tree.h"

namespace lesson_test {

class LessonCommand : public CommandLine {
  protected:
    // Creates a fake program in the directory `first`, which with() puts first in PATH.
    void make_program(const std::string& name, const std::string& script) const {
        std::filesystem::create_directories(folder() / "first");
        write_file(folder() / "first" / name, "#!/bin/sh\n" + script + "\n");
        std::filesystem::permissions(folder() / "first" / name, std::filesystem::perms::owner_all);
    }
    Finished with(const std::string& command) const { return shell("PATH=\"$PWD/first:$PATH\" " + command); }
    Finished without_any(const std::string& command) const {
        return shell(fmt::format("PATH=/no/such/folder {} {}", SWITCHYARD_BINARY, command));
    }
    bool there_is(const std::string& program) const { return shell(program + " --version").exit_code == 0; }

    static std::size_t count_of(const std::string& what, const std::string& text) {
        std::size_t n = 0;
        for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
        return n;
    }
};

TEST_F(LessonCommand, ListsAndPrintsLessonsUnchanged) {
    const Words list = lines_of(output({"lesson"}));
    ASSERT_EQ(list.size(), 13u);
    EXPECT_EQ(list[0], "1  What a context switch is");
    EXPECT_TRUE(list[9].starts_with("10  ")) << list[9];
    for (const auto& entry : std::filesystem::directory_iterator(SWITCHYARD_SOURCE_DIR "/docs/tutorials")) {
        const std::string file = entry.path().filename();
        if (std::isdigit(static_cast<unsigned char>(file.front())) == 0) continue;
        Words words{"lesson", file.substr(0, file.find('-'))};
        if (file.ends_with("-teacher.md")) words.push_back("--teacher");
        EXPECT_TRUE(output(words) == content_of(entry.path())) << file;
    }
    expect_refused({"lesson", "14"}, "'14' is not one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13");
    expect_refused({"lesson", "--pdf"}, "LESSON is missing");
    expect_refused({"lesson", "1", "--pdf", "--html"}, "excludes");
}

// The fake pandoc prints its input.
TEST_F(LessonCommand, HandoutIsSelfContainedWithAnswersLast) {
    make_program("pandoc", "cat");
    for (int n = 1; n <= 13; ++n) {
        const std::string lesson = output({"lesson", std::to_string(n)});
        const Finished f = with(fmt::format("switchyard lesson {} --html", n));
        EXPECT_EQ(f.exit_code, 0) << f;
        EXPECT_EQ(f.err, "");
        EXPECT_EQ(count_of("](data:image/svg+xml;base64,", f.out), count_of("](../figures/", lesson)) << n;
        EXPECT_EQ(count_of("](", f.out), count_of("](data:", f.out))
            << n << ": a link that leads nowhere on paper";
        for (const char* gone : {"<details", "</details", "<summary", "<!--", "../figures"})
            EXPECT_EQ(f.out.find(gone), std::string::npos) << n << " " << gone;
        const std::size_t answers = f.out.find("\n## Answers\n");
        ASSERT_NE(answers, std::string::npos) << n;
        EXPECT_LT(f.out.find("\n## Questions\n"), answers);
        EXPECT_EQ(count_of("\n### Question ", f.out.substr(answers)), count_of("<details>", lesson)) << n;
        for (std::size_t k = 1; k <= count_of("<details>", lesson); ++k)
            EXPECT_EQ(count_of(fmt::format("\n### Question {}\n", k), f.out), 1u) << n << ", " << k;
        // All code blocks are present.
        EXPECT_EQ(count_of("```", f.out), count_of("```", lesson)) << n;
        EXPECT_EQ(count_of("\n$ switchyard", f.out), count_of("\n$ switchyard", lesson)) << n;
    }
    const Finished teachers = with("switchyard lesson 6 --teacher --html");
    EXPECT_EQ(teachers.exit_code, 0);
    EXPECT_EQ(teachers.out.find("\n## Answers\n"), std::string::npos);
}

TEST_F(LessonCommand, MissingProgramIsNamedWithPackage) {
    const Finished html = without_any("lesson 1 --html --output x.html");
    EXPECT_EQ(html.exit_code, 2);
    EXPECT_NE(
        html.err.find("'pandoc', which is not in the PATH; install it (on Debian: apt-get install pandoc)"),
        std::string::npos)
        << html;
    make_program("pandoc", "exec /bin/cat");
    const Finished pdf =
        shell(fmt::format("PATH=\"$PWD/first\"; {} lesson 1 --pdf --output x.pdf", SWITCHYARD_BINARY));
    EXPECT_EQ(pdf.exit_code, 2);
    EXPECT_NE(pdf.err.find("apt-get install weasyprint"), std::string::npos) << pdf;
    make_program("weasyprint", "echo 'no fonts' >&2; exit 3");
    const Finished failed = with("switchyard lesson 1 --pdf --output x.pdf");
    EXPECT_EQ(failed.exit_code, 2);
    EXPECT_EQ(failed.err, "switchyard: weasyprint failed with exit code 3: no fonts\n");
    EXPECT_FALSE(std::filesystem::exists(folder() / "x.html"));
    EXPECT_FALSE(std::filesystem::exists(folder() / "x.pdf"));
    make_program("weasyprint", "echo \"$@\"; head -c 15");
    EXPECT_EQ(with("switchyard lesson 1 --pdf").out, "--quiet - -\n<!DOCTYPE html>");
}

// The number of elements with this name, including `e` itself.
std::size_t count_elements(const XmlElement& e, const std::string& name) {
    std::size_t n = e.name == name ? 1 : 0;
    for (const XmlElement& child : e.children) n += count_elements(child, name);
    return n;
}

TEST_F(LessonCommand, PandocPagesAreWellFormed) {
    if (!there_is("pandoc")) GTEST_SKIP() << "there is no pandoc here";
    for (int n = 1; n <= 13; ++n) {
        const std::string lesson = output({"lesson", std::to_string(n)});
        std::string page = output({"lesson", std::to_string(n), "--html"});
        EXPECT_EQ(page, output({"lesson", std::to_string(n), "--html"})) << "the same each time";
        ASSERT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
        const XmlElement root = read_xml(page.substr(16));
        EXPECT_EQ(count_elements(root, "h1"), 1u);
        EXPECT_EQ(count_elements(root, "img"), count_of("](../figures/", lesson)) << n;
        EXPECT_GE(count_elements(root, "pre"), count_of("\n```", lesson) / 2) << n;
        EXPECT_EQ(count_elements(root, "a"), 0u) << n;
    }
}

}  // namespace lesson_test
