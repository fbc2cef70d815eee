// Tests of links: round trip, complete error reports, and scenario texts embedded in a link.
#include "sim/link/link.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/atomic_file.h"
#include "sim/link/packed_text.h"
#include "sim/scenario/builtin_files.h"

namespace sim {
namespace link_test {

namespace fs = std::filesystem;

std::string wrong_with(const std::string& link) {
    try {
        parse_link(link);
    } catch (const std::invalid_argument& problem) {
        return problem.what();
    }
    return {};
}

TEST(Link, ParsesOptions) {
    const Link link = parse_link(
        "#scenario=two-hogs&set=/machine/hz%3D250&set=/tasks/0/nice=5&policy=sorted-queue:insert%3Dhead"
        "&compare=linux-2.0&switch=37&panel=decision&tab=costs&theme=light&scale=150&present&show=0ms..1.1ms"
        "&vary=/tasks/1/count=0..1000/200&with=linux-2.0&with=nt4&until=200ms&measure=us-per-yield&seeds=3");
    EXPECT_EQ(link.scenario, "two-hogs");
    EXPECT_EQ(link.sets, (std::vector<std::string>{"/machine/hz=250", "/tasks/0/nice=5"}));
    EXPECT_EQ(link.policy, "sorted-queue:insert=head");
    EXPECT_EQ(link.compare, "linux-2.0");
    EXPECT_EQ(link.switch_number, 37u);
    EXPECT_EQ(link.panel, "decision");
    EXPECT_EQ(link.tab, "costs");
    EXPECT_EQ(link.theme, "light");
    EXPECT_EQ(link.scale, 150);
    EXPECT_TRUE(link.present);
    EXPECT_EQ(link.show, (LinkTimeRange{Nanos{0}, Nanos{1'100'000}}));
    EXPECT_EQ(link.vary, "/tasks/1/count=0..1000/200");
    EXPECT_EQ(link.with, (std::vector<std::string>{"linux-2.0", "nt4"}));
    EXPECT_EQ(link.until, "200ms");
    EXPECT_EQ(link.measure, "us-per-yield");
    EXPECT_EQ(link.seeds, 3u);
    EXPECT_EQ(parse_link("at=decision%2037").at, "decision 37");
}

TEST(Link, EmptyLinkHasDefaultOptions) {
    for (const char* link : {"", "#", "#&&", "#v=1"}) EXPECT_EQ(parse_link(link), Link{}) << link;
}

TEST(Link, RoundTripsOptions) {
    Link link;
    EXPECT_EQ(format_link(link), "#v=1&scenario=yield-processes") << "nothing that is so anyway";
    link.scenario = "a b/ü&x=1.json";
    link.sets = {"/tasks/0/count=4", R"(/policy="nt4:quantum=6")", "/title=50 % #1 + \"2\""};
    link.policy = "linux-2.0:yield=one_tick";
    link.compare = "nt4";
    link.at = "event 7";
    link.show = {Nanos{1}, Nanos{1'500'000'000}};
    link.panel = "decision";
    link.tab = "costs";
    link.theme = "light";
    link.scale = 125;
    link.present = true;
    link.bare = true;
    link.vary = "/machine/costs/considered=0.25us..1us*2";
    link.with = {"linux-2.0:yield=one_tick", "sorted-queue"};
    link.until = "200ms";
    link.measure = "/yields/calls:/ticks";
    link.seeds = 5;
    const std::string words = format_link(link);
    EXPECT_EQ(words.find_first_of(" \"+<>\xc3"), std::string::npos) << words;
    EXPECT_EQ(words.find('#', 1), std::string::npos) << words;
    for (const std::string& address : {words, "https://example.org/x.html?a=b" + words}) {
        EXPECT_EQ(parse_link(address), link) << address;
        EXPECT_EQ(format_link(parse_link(address)), words);
    }
}

TEST(Link, ReportsAllErrorsInPrintableText) {
    for (const char* half : {"=2", "x", "x="})
        EXPECT_EQ(wrong_with(std::string("#vary=") + half),
                  fmt::format("the link: vary={}: expected POINTER=VALUES, like /tasks/0/count=2,4,8", half));
    EXPECT_EQ(wrong_with("#senario=two-hogs&theme=dork&switch=-1&scale=400&at=1ms"),
              "the link: unknown parameter 'senario'; did you mean 'scenario'?\n"
              "the link: theme=dork: expected one of dark, light, projector; did you mean 'dark'?\n"
              "the link: switch=-1: expected a number\n"
              "the link: scale=400: expected a number from 75 to 300\n"
              "the link: 'at' and 'switch' specify two positions; use only one of them");
    EXPECT_EQ(
        wrong_with("#vari=x&vary=x&seeds=0&show=3ms&show=3ms..2ms&show=..5&v=0"),
        "the link: unknown parameter 'vari'; did you mean 'vary'?\n"
        "the link: vary=x: expected POINTER=VALUES, like /tasks/0/count=2,4,8\n"
        "the link: seeds=0: expected a number from 1 to 1000\n"
        "the link: show=3ms: expected a time range, like 0ms..1.5ms\n"
        "the link: show=3ms..2ms: the start 3ms of the range is not before the end 2ms\n"
        "the link: show=..5: '' is not a time; write it like \"200ms\"; units are ns, us, ms, s, min, h\n"
        "the link: v=0: expected a number of at least 1\n"
        "the link: 'seeds' is for the laboratory and needs 'vary', which is missing");
    const std::string hostile = wrong_with("#%1b[31m%0a<script>=%00%ff%");
    EXPECT_EQ(hostile.find_first_of("\x1b\n"), std::string::npos) << hostile;
    EXPECT_NE(hostile.find("unknown parameter '"), std::string::npos) << hostile;
    EXPECT_EQ(wrong_with(std::string(70'000, 'x')), "the link is longer than 64 KiB");
    EXPECT_EQ(wrong_with(std::string(64 * 1024 + 1, '&')), "the link is longer than 64 KiB");
    EXPECT_EQ(parse_link(std::string(64 * 1024, '&')), Link{});
    for (const char* number : {"12x", " 12", "12 ", "+12", "99999999999999999999", ""})
        EXPECT_EQ(wrong_with(std::string("#switch=") + number),
                  std::string("the link: switch=") + number + ": expected a number");
}

TEST(Link, NewerVersionGetsVersionErrorOnly) {
    EXPECT_EQ(wrong_with("#hologram=2&v=2"),
              "the link: v=2: the link was made by a newer version of Switchyard; this version reads links "
              "up to v=1");
}

TEST(LinkText, RoundTripsBuiltInScenarios) {
    if (!can_embed_text()) GTEST_SKIP() << no_embedding_reason();
    for (const std::string& name : builtin_file_names("")) {
        const ScenarioText original = find_scenario(name);
        Link link;
        embed_scenario(link, original);
        const std::string words = format_link(link);
        const Link again = parse_link(words);
        EXPECT_EQ(again.text, original.text) << name;
        EXPECT_EQ(again.scenario, name);
        EXPECT_LT(words.size(), kLongestSafeLink) << name;
        EXPECT_EQ(parse_scenario(embedded_scenario(again)).name, name);
    }
}

// The three block types of deflate (stored, fixed and dynamic Huffman codes), compressed by another
// implementation.
TEST(LinkText, UnpacksDataFromOtherCompressors) {
    if (!can_embed_text()) GTEST_SKIP() << no_embedding_reason();
    for (const char* packed :
         {"eAEBZACb_2VlZWVlZWVlZWVlZWVlZWVlZWVlYWFjYmFhYWFhYmJiYWFhYWFhYWFhYWFhYWRhYmJhYWFh"
          "YWFhY2FiYWFhYWFhYWFiYWRhYWJhYWFhYmNiYWNhYmFhYWNhZGFhZGFhYWFhYmGbWCZY",
          "eAFLTcUEiYnJSYkgkJQEoWEgJREukJwIl0oCikN4SUB9EIlkkFgKVBoAm1gmWA",
          "eAEFwQEBADAMwyCtdI9_C4eqqqqqKm5gGwB4NsAZwDwGuznDeTwwH5tYJlg"}) {
        std::string why;
        const auto text = unpack_text(packed, 1 << 20, why);
        ASSERT_TRUE(text) << why;
        EXPECT_EQ(*text,
                  "eeeeeeeeeeeeeeeeeeeeaacbaaaaabbbaaaaaaaaaaaaadabbaaaaaaacabaaaaaaaabadaabaaaabcb"
                  "acabaaacadaadaaaaaba");
    }
}

TEST(LinkText, RefusesDamagedOrOversizedText) {
    if (!can_embed_text()) GTEST_SKIP() << no_embedding_reason();
    Link link;
    embed_scenario(link, find_scenario("two-hogs"));
    const std::string whole = format_link(link);
    const std::string damaged =
        "the link: text: the text is incomplete, damaged, or longer than 1024 KiB; copy the whole link";
    EXPECT_EQ(wrong_with(whole.substr(0, whole.size() - 5)), damaged);
    std::string changed = whole;
    changed[changed.size() - 100] = changed[changed.size() - 100] == 'A' ? 'B' : 'A';
    EXPECT_EQ(wrong_with(changed), damaged);
    EXPECT_EQ(wrong_with("#text=%3Cb%3E"), "the link: text: this is not a text packed by Switchyard");
    EXPECT_EQ(wrong_with("#text="), "the link: text: this is not a text packed by Switchyard");
    EXPECT_EQ(wrong_with("#text=" + pack_text(std::string((1 << 20) + 1, ' '))), damaged) << "a bomb";
    EXPECT_EQ(parse_link("#text=" + pack_text(std::string(1 << 20, ' '))).text.size(), 1u << 20);
}

TEST(LinkText, RequiresSafeFileName) {
    if (!can_embed_text()) GTEST_SKIP() << no_embedding_reason();
    const std::string text = "&text=" + pack_text("{}");
    EXPECT_EQ(parse_link(text).scenario, "scenario") << "of none";
    EXPECT_EQ(parse_link("scenario=Pr%C3%BCfung%203" + text).scenario,
              "Pr\xc3\xbc"
              "fung 3");
    for (const char* name : {"../../x", "a%5Cb", ".profile", "a%0Ab", "%1B[2J", "%FF", "%C2%9B", ""})
        EXPECT_NE(wrong_with("scenario=" + std::string(name) + text)
                      .find("expected a name for the embedded scenario"),
                  std::string::npos)
            << name;
}

TEST(LinkText, ErrorReportsPositionInText) {
    Link link;
    link.scenario = "mine";
    link.text = "{\n  \"polcy\": 1}";
    try {
        parse_scenario(embedded_scenario(link));
        FAIL() << "that is no scenario";
    } catch (const ScenarioError& error) {
        const std::vector<Problem>& all = error.problems();
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const Problem& problem) {
            return problem.text().starts_with("the link:2:3: ") &&
                   problem.message.find("did you mean 'policy'?") != std::string::npos;
        })) << error.what();
    }
}

// A link cannot contain a scenario that needs a machine file from its own directory.
TEST(LinkText, RefusesScenarioWithLocalMachineFile) {
    const fs::path folder = fs::path(testing::TempDir()) / "switchyard-link-test";
    fs::create_directories(folder / "machines");
    const auto write = [&](const char* machine) {
        write_atomically((folder / "machines" / (std::string(machine) + ".json")).string(),
                         R"({"format": "switchyard-machine/1", "base": "pentium-mmx-200-nt", "hz": 50})");
        write_atomically((folder / "mine.json").string(),
                         fmt::format(R"({{"format": "switchyard-scenario/1", "machine": "{}", "until": "1s",)"
                                     R"( "tasks": [{{"name": "a", "program": ["exit"]}}]}})",
                                     machine));
        Link link;
        try {
            embed_scenario(link, find_scenario((folder / "mine.json").string()));
        } catch (const ScenarioError& error) {
            EXPECT_EQ(link, Link{});
            return error.problems().front().message;
        }
        return std::string("carried as ") + link.scenario;
    };
    EXPECT_EQ(write("elsewhere").rfind("a link cannot contain this scenario: unknown machine 'elsewhere'", 0),
              0u);
    EXPECT_EQ(
        write("pentium-mmx-200"),
        "a link cannot contain this scenario: machine 'pentium-mmx-200' is different without the files in "
        "the scenario's directory");
    fs::remove_all(folder);
}

}  // namespace link_test
}  // namespace sim
