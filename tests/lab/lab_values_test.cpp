// Parsing of the arguments of --vary and --measure.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

#include "sim/lab/measure.h"
#include "sim/lab/values.h"

namespace sim::lab {
namespace lab_values_test {

using Words = std::vector<std::string>;

std::string refusal(const std::string& text) {
    try {
        return fmt::format("accepted: {}", fmt::join(parse_values(text), " "));
    } catch (const LabError& error) {
        return error.what();
    }
}

TEST(SweepValues, KeepsListElementsVerbatim) {
    EXPECT_EQ(parse_values("2,4,8"), (Words{"2", "4", "8"}));
    EXPECT_EQ(parse_values("linux-2.0"), (Words{"linux-2.0"}));
    EXPECT_EQ(parse_values("0.25us,0.5us,1 us"), (Words{"0.25us", "0.5us", "1 us"}));
    EXPECT_EQ(parse_values("true,null,-3"), (Words{"true", "null", "-3"}));
}

TEST(SweepValues, DoesNotSplitInsideQuotesOrBrackets) {
    EXPECT_EQ(parse_values(R"({"uniform": ["1ms", "4ms"]},2ms)"),
              (Words{R"({"uniform": ["1ms", "4ms"]})", "2ms"}));
    EXPECT_EQ(parse_values(R"("a,\"b..",c)"), (Words{R"("a,\"b..")", "c"}));
}

// A backslash at the end must not be lost, because only the scenario decides whether the value is a string.
TEST(SweepValues, KeepsTrailingBackslash) {
    EXPECT_EQ(parse_values(R"(1,"x\)"), (std::vector<std::string>{"1", R"("x\)"}));
    EXPECT_EQ(parse_values("\"\\"), std::vector<std::string>{"\"\\"});
}

TEST(SweepValues, RangeWithFactorMultiplies) {
    EXPECT_EQ(parse_values("2..4096*2"),
              (Words{"2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096"}));
    EXPECT_EQ(parse_values("1..8*1.5"), (Words{"1", "1.5", "2.25", "3.375", "5.0625", "7.59375"}));
    EXPECT_EQ(parse_values("0.25us..2us*2"), (Words{"0.25us", "0.5us", "1us", "2us"}));
    EXPECT_EQ(parse_values("64KiB..1MiB*4"), (Words{"64KiB", "256KiB", "1024KiB"}));
}

TEST(SweepValues, RangeWithStepIsExactInDecimal) {
    EXPECT_EQ(parse_values("0..1/0.1"),
              (Words{"0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"}));
    EXPECT_EQ(parse_values("0..1+0.1"), parse_values("0..1/0.1"));
    EXPECT_EQ(parse_values("1..4"), (Words{"1", "2", "3", "4"}));
    EXPECT_EQ(parse_values("1..10+3"), (Words{"1", "4", "7", "10"}));
    EXPECT_EQ(parse_values("1..9+3"), (Words{"1", "4", "7"}));
    EXPECT_EQ(parse_values("-2..1"), (Words{"-2", "-1", "0", "1"}));
    EXPECT_EQ(parse_values("-0.5..0.5/0.5"), (Words{"-0.5", "0", "0.5"}));
    EXPECT_EQ(parse_values("1ms..2ms/500us"), (Words{"1000us", "1500us", "2000us"}));
    EXPECT_EQ(parse_values("500ns..1us/250ns"), (Words{"500ns", "750ns", "1000ns"}));
}

TEST(SweepValues, ListsAndRangesMix) {
    EXPECT_EQ(parse_values("1..3,8..32*2,100"), (Words{"1", "2", "3", "8", "16", "32", "100"}));
}

TEST(SweepValues, RefusesEmptyEndlessOrExcessiveValues) {
    EXPECT_NE(refusal("").find("missing"), std::string::npos);
    EXPECT_NE(refusal("1,,2").find("next to a comma"), std::string::npos);
    EXPECT_NE(refusal("1,").find("next to a comma"), std::string::npos);
    EXPECT_NE(refusal("1..").find("end is missing"), std::string::npos);
    EXPECT_NE(refusal("..5").find("start is missing"), std::string::npos);
    EXPECT_NE(refusal("5..1").find("did you mean 1..5?"), std::string::npos);
    EXPECT_NE(refusal("8..2*2").find("did you mean 2..8*2?"), std::string::npos);
    EXPECT_NE(refusal("1..8*1").find("never ends"), std::string::npos);
    EXPECT_NE(refusal("1..8*0.5").find("never ends"), std::string::npos);
    EXPECT_NE(refusal("0..8*2").find("must start above 0"), std::string::npos);
    EXPECT_NE(refusal("1..8/0").find("never ends"), std::string::npos);
    EXPECT_NE(refusal("1..8/-1").find("never ends"), std::string::npos);
    EXPECT_NE(refusal("1us..8us").find("did you mean 1us..8us*2?"), std::string::npos);
    EXPECT_NE(refusal("1us..8us/1").find("did you mean 1us..8us/1us?"), std::string::npos);
    EXPECT_NE(refusal("1..8us").find("different kinds"), std::string::npos);
    EXPECT_NE(refusal("1KiB..8us").find("different kinds"), std::string::npos);
    EXPECT_NE(refusal("1us..8us*2us").find("must not have a unit"), std::string::npos);
    EXPECT_NE(refusal("0..1000000").find("expected at most 100000 values"), std::string::npos);
    EXPECT_NE(refusal("0..1/0.0000000001").find("expected at most 100000 values"), std::string::npos);
    EXPECT_NE(refusal("1..9999999999999999999").find("at most 15 digits"), std::string::npos);
    EXPECT_NE(refusal("1..1000000*1.0000001").find("digits"), std::string::npos);
    EXPECT_NE(refusal("1h..2h/0.000000000000001ns").find("digits"), std::string::npos);
    EXPECT_NE(refusal("a..b").find("double quotes"), std::string::npos);
    EXPECT_NE(refusal("1..3,2").find("twice"), std::string::npos);
    EXPECT_NE(refusal(std::string(2000, 'x')).find("longer"), std::string::npos);
}

TEST(SweepValues, NumbersUseUnitOfFirstValue) {
    const auto numbers = numbers_of(Words{"0.5us", "2ms", "100ns"});
    ASSERT_TRUE(numbers);
    EXPECT_EQ(numbers->unit, "us");
    EXPECT_EQ(numbers->values, (std::vector<double>{0.5, 2000, 0.1}));
    EXPECT_FALSE(numbers->integers);
    EXPECT_TRUE(numbers_of(Words{"1", "-20"})->integers);
    EXPECT_FALSE(numbers_of(Words{"1", "0.5"})->integers);
    EXPECT_FALSE(numbers_of(Words{"1", "2us"}));
    EXPECT_FALSE(numbers_of(Words{"1", "x"}));
}

TEST(Measures, EachListedNameIsFound) {
    std::set<std::string> names;
    for (const Measure& measure : measures()) {
        const Measure found = find_measure(measure.name);
        EXPECT_EQ(found.name, measure.name);
        EXPECT_EQ(found.label, measure.label);
        EXPECT_EQ(found.of, measure.of);
        EXPECT_EQ(found.per, measure.per);
        EXPECT_FALSE(measure.of.empty());
        EXPECT_TRUE(names.insert(measure.name).second) << measure.name;
    }
    EXPECT_GE(measures().size(), 20u);
}

TEST(Measures, AcceptPointersAndQuotients) {
    const nlohmann::ordered_json summary{{"a", 3}, {"b", {{"c", 2}}}, {"zero", 0}, {"word", "x"}};
    EXPECT_EQ(value_of(find_measure("/a"), summary), 3);
    EXPECT_EQ(value_of(find_measure("/a:/b/c"), summary), 1.5);
    EXPECT_EQ(value_of(find_measure("/a:b/c"), summary), 1.5);
    EXPECT_EQ(find_measure("/a").name, "/a");
    EXPECT_EQ(find_measure("/a").label, "/a");
    EXPECT_EQ(find_measure("/a:b/c").name, "/a:/b/c");
    EXPECT_EQ(find_measure("/a:b/c").label, "/a per /b/c");
    EXPECT_EQ(value_of(find_measure("/a:/zero"), summary), std::nullopt);
    EXPECT_EQ(value_of(find_measure("/nothing"), summary), std::nullopt);
    EXPECT_EQ(value_of(find_measure("/word"), summary), std::nullopt);
    EXPECT_EQ(value_of(find_measure("/b"), summary), std::nullopt);
}

TEST(Measures, RefuseUnknownNamesAndBadPointers) {
    const auto refused = [](const char* text) -> std::string {
        try {
            find_measure(text);
            return "accepted";
        } catch (const LabError& error) {
            return error.what();
        }
    };
    EXPECT_NE(refused("us-per-yeild").find("did you mean 'us-per-yield'?"), std::string::npos);
    EXPECT_NE(refused("").find("list measures"), std::string::npos);
    EXPECT_NE(refused("/a~2").find("measure"), std::string::npos);
    EXPECT_NE(refused("/a:").find("measure"), std::string::npos);
    for (const char* pointer : {"/a~2", "/a:", "/a:/b~", "/", ":/a"}) {
        const std::string message = refused(pointer);
        EXPECT_NE(message.find(pointer), std::string::npos) << message;
        EXPECT_NE(message.find("/yields/switched:/yields/calls"), std::string::npos)
            << pointer << ", no example: " << message;
    }
}

}  // namespace lab_values_test
}  // namespace sim::lab
