// Tests of `switchyard link`: the window accepts every link that it prints.
#include <map>
#include <string>

#include "sim/link/link.h"
#include "tests/support/command_line.h"

namespace link_command_test {

class LinkCommand : public CommandLine {
  protected:
    std::string link(Words words) const {
        words.insert(words.begin(), "link");
        const std::string line = output(words);
        EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
        return line.substr(0, line.size() - 1);
    }
};

TEST_F(LinkCommand, LinkReadsBackAsOptions) {
    const Words options{"two-hogs",
                        "--set",
                        "/machine/hz=250",
                        "--policy",
                        "linux-2.2",
                        "--compare",
                        "nt4",
                        "--switch",
                        "5",
                        "--range",
                        "1ms..2ms",
                        "--pane",
                        "decision",
                        "--tab",
                        "costs",
                        "--theme",
                        "light",
                        "--scale",
                        "150",
                        "--presenter",
                        "--vary",
                        "/tasks/0/nice=0,5",
                        "--lab-policy",
                        "linux-2.0",
                        "--lab-policy",
                        "nt4",
                        "--until",
                        "2s",
                        "--measure",
                        "kernel-share",
                        "--seeds",
                        "2"};
    const std::string made = link(options);
    EXPECT_EQ(sim::format_link(sim::parse_link(made)), made);
    std::string said = "scenario  two-hogs\n";
    for (std::size_t i = 1; i < options.size(); ++i) {
        // Some names in a link differ from the names of the options.
        static const std::map<std::string, std::string> kLinkNames{
            {"--lab-policy", "with"}, {"--pane", "panel"}, {"--presenter", "present"}, {"--range", "show"}};
        const auto known = kLinkNames.find(options[i]);
        const std::string name = known == kLinkNames.end() ? options[i].substr(2) : known->second;
        said += name == "present" ? name + "\n" : fmt::format("{:<9} {}\n", name, options[++i]);
    }
    EXPECT_EQ(output({"link", "--decode", "https://example.org/" + made}), said);
}

TEST_F(LinkCommand, LinkRoundTripsScenarioFile) {
    if (!sim::can_embed_text()) GTEST_SKIP() << sim::no_embedding_reason();
    const std::string text = output({"save", "two-hogs", "--set", "/machine/hz=1000"});
    write_file(folder() / "mine.json", text);
    const std::string made = link({"mine.json", "--at", "12.5ms"});
    EXPECT_EQ(sim::parse_link(made).text, text);
    EXPECT_EQ(
        output({"link", "--decode", made}),
        fmt::format(
            "scenario  mine\nat        12.5ms\ntext      {},{:03} bytes; write them with --output FILE\n",
            text.size() / 1000, text.size() % 1000));
    EXPECT_EQ(output({"link", "--decode", made, "--output", "back.json"}), "");
    EXPECT_EQ(output({"save", "back.json"}), text);
    EXPECT_EQ(sim::parse_link(link({"two-hogs"})).text, "");
    EXPECT_EQ(sim::parse_link(link({"two-hogs", "--inline-scenario"})).text, output({"save", "two-hogs"}));
}

TEST_F(LinkCommand, EmbedPrintsIframe) {
    EXPECT_EQ(output({"link", "two-hogs", "--set", "/title=\"<b>\"", "--switch", "2", "--base-url",
                      "https://x.org/?a=\"&b", "--embed", "640x480"}),
              "<iframe src=\"https://x.org/?a=&quot;&amp;b#v=1&amp;scenario=two-hogs&amp;"
              "set=/title%3D%22%3Cb%3E%22&amp;switch=2\" width=\"640\" height=\"480\" title=\"Switchyard\" "
              "allow=\"fullscreen; clipboard-write\"></iframe>\n");
}

TEST_F(LinkCommand, InvalidOptionsAreRejected) {
    expect_refused({"link", "two-hogz"}, "did you mean 'two-hogs'?");
    expect_refused({"link", "two-hogs", "--set", "/tasks/0/cuont=3"}, "did you mean 'count'?");
    expect_refused({"link", "two-hogs", "--compare", "nt5"}, "did you mean 'nt4'?");
    expect_refused({"link", "two-hogs", "--pane", "decison"}, "did you mean 'decision'?");
    expect_refused({"link", "two-hogs", "--at", "swich 3"}, "did you mean 'switch'?");
    expect_refused({"link", "two-hogs", "--range", "3ms..2ms"},
                   "the start 3ms of the range is not before the end 2ms");
    expect_refused({"link", "two-hogs", "--seeds", "3"}, "--seeds requires --vary");
    expect_refused({"link", "two-hogs", "--vary", "/tasks/0/cuont=2,3"}, "did you mean 'count'?");
    expect_refused({"link", "two-hogs", "--vary", "/machine=pentium-mmx-200,pentium-mmx-200-nt"},
                   "curves need numeric values");
    expect_refused({"link", "two-hogs", "--vary", "/machine/hz=50,100", "--measure", "us-per-yeld"},
                   "did you mean 'us-per-yield'?");
    expect_refused({"link", "two-hogs", "--vary", "/machine/hz=50,100", "--until", "2"}, "--until 2: ");
    expect_refused({"link", "two-hogs", "--embed"}, "--embed needs the page's address");
    expect_refused({"link", "two-hogs", "--embed", "8x8", "--base-url", "x"},
                   "expected a size such as 800x600");
    output({"link", "two-hogs", "--embed", "100x10000", "--base-url", "x"});
    output({"link", "two-hogs", "--embed", "10000x100", "--base-url", "x"});
    expect_refused({"link", "two-hogs", "--embed", "100x10001", "--base-url", "x"}, "from 100 to 10000");
    expect_refused({"link", "two-hogs", "--embed", "99x100", "--base-url", "x"}, "from 100 to 10000");
    expect_refused({"link", "two-hogs", "--base-url", "x.html#y"}, "without '#'");
    expect_refused({"link", "--decode", "#v=1&tab=costz"}, "did you mean 'costs'?");
    expect_refused({"link", "--decode", "#v=2"}, "made by a newer version of Switchyard");
    expect_refused({"link", "--decode", "#", "two-hogs"}, "leave out SCENARIO");
    expect_refused({"link", "--decode", "#scenario=two-hogs", "--output", "x.json"},
                   "it only names two-hogs");
}

}  // namespace link_command_test
