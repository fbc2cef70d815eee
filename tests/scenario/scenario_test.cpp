#include "sim/core/scenario.h"
#include "sim/base/units.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/base/rng.h"
#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"

namespace sim {
namespace scenario_test {

// The time in ns; -1: invalid.
std::int64_t parsed(std::string_view text) {
    std::string why;
    const std::optional<Nanos> time = parse_time(text, why);
    EXPECT_EQ(time.has_value(), why.empty()) << text << ": " << why;
    return time ? time->count() : -1;
}

std::string why_not(std::string_view text) {
    std::string why;
    EXPECT_FALSE(parse_time(text, why).has_value()) << text;
    return why;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(TimeParser, AcceptsEveryUnit) {
    EXPECT_EQ(parsed("7ns"), 7);
    EXPECT_EQ(parsed("7us"), 7'000);
    EXPECT_EQ(parsed("7\xc2\xb5s"), 7'000);
    EXPECT_EQ(parsed("7ms"), 7'000'000);
    EXPECT_EQ(parsed("7s"), 7'000'000'000);
    EXPECT_EQ(parsed("7min"), 420'000'000'000);
    EXPECT_EQ(parsed("7h"), 25'200'000'000'000);
    EXPECT_EQ(parsed("0s"), 0);
    EXPECT_EQ(parsed("7 ms"), 7'000'000);
}

TEST(TimeParser, ReadsFractionsExactly) {
    EXPECT_EQ(parsed("2.5ms"), 2'500'000);
    EXPECT_EQ(parsed("0.1us"), 100);
    EXPECT_EQ(parsed(".5s"), 500'000'000);
    EXPECT_EQ(parsed("5.s"), 5'000'000'000);
    EXPECT_EQ(parsed("1.000000001s"), 1'000'000'001);
    EXPECT_EQ(parsed("0.000000001000s"), 1);
    EXPECT_EQ(parsed("1.0ns"), 1);
    EXPECT_EQ(parsed("0.25min"), 15'000'000'000);
    EXPECT_EQ(parsed("1.5h"), 5'400'000'000'000);
    EXPECT_EQ(parsed("0.36us"), 360);
}

TEST(TimeParser, RefusesFractionsOfNanosecond) {
    for (const char* text : {"0.5ns", "1.0001us", "0.0000000001s", "1.0000000005s"})
        EXPECT_TRUE(has(why_not(text), "finer than a nanosecond")) << why_not(text);
}

TEST(TimeParser, RequiresKnownUnit) {
    EXPECT_TRUE(has(why_not("200"), "needs a unit; did you mean \"200ms\"?")) << why_not("200");
    EXPECT_TRUE(has(why_not("5m"), "did you mean 'min' or 'ms'?")) << why_not("5m");
    EXPECT_TRUE(has(why_not("5mss"), "unknown unit 'mss'; did you mean 'ms'?")) << why_not("5mss");
    EXPECT_TRUE(has(why_not("5 parsecs"), "unknown unit 'parsecs'")) << why_not("5 parsecs");
    EXPECT_TRUE(has(why_not("1e3ms"), "unknown unit")) << why_not("1e3ms");
    EXPECT_TRUE(has(why_not("5MS"), "unknown unit 'MS'")) << why_not("5MS");
}

TEST(TimeParser, RefusesInvalidNumbers) {
    EXPECT_TRUE(has(why_not("-5ms"), "negative")) << why_not("-5ms");
    for (const char* text : {"", "ms", "+5ms", "1.2.3ms", ".ms", "five ms", " 5ms"})
        EXPECT_TRUE(has(why_not(text), std::string("'") + text + "' is no")) << text << ": " << why_not(text);
    why_not("5ms ");
    why_not("5ms6us");
}

TEST(TimeParser, AcceptsTimesUpToHorizon) {
    EXPECT_EQ(parsed("78h"), 280'800'000'000'000);
    EXPECT_EQ(parsed("281474976710655ns"), kHorizon.count());
    for (const char* text :
         {"79h", "281474976710656ns", "99999999999999999999999999ns", "9223372036854775807h"})
        EXPECT_TRUE(has(why_not(text), "too long")) << why_not(text);
}

TEST(TimeFormatter, UsesLargestFittingUnit) {
    EXPECT_EQ(format_time(0ns), "0ns");
    EXPECT_EQ(format_time(999ns), "999ns");
    EXPECT_EQ(format_time(1us), "1us");
    EXPECT_EQ(format_time(1'500ns), "1.5us");
    EXPECT_EQ(format_time(1'050ns), "1.05us");
    EXPECT_EQ(format_time(999'999ns), "999.999us");
    EXPECT_EQ(format_time(200ms), "200ms");
    EXPECT_EQ(format_time(2'500us), "2.5ms");
    EXPECT_EQ(format_time(1s), "1s");
    EXPECT_EQ(format_time(1'000'000'001ns), "1.000000001s");
    EXPECT_EQ(format_time(90min), "5400s");
}

TEST(TimeFormatter, OutputParsesBackExactly) {
    std::uint64_t random = 1;
    for (int bits = 1; bits <= 48; ++bits) {
        for (int i = 0; i < 100; ++i) {
            const auto time = static_cast<std::int64_t>(next_random(random) >> (64 - bits));
            ASSERT_EQ(parsed(format_time(Nanos{time})), time) << format_time(Nanos{time});
        }
    }
}

TEST(TickTime, DividesASecondByHz) {
    Scenario s;
    s.machine.hz = 100;
    EXPECT_EQ(s.time_of_tick(0).count(), 0);
    EXPECT_EQ(s.time_of_tick(1).count(), 10'000'000);
    EXPECT_EQ(s.time_of_tick(100).count(), 1'000'000'000);
    EXPECT_EQ(s.time_of_tick(28'000'000).count(), 280'000'000'000'000);
}

TEST(TickTime, RoundsDownWithoutAccumulatingError) {
    Scenario s;
    s.machine.hz = 300;
    EXPECT_EQ(s.time_of_tick(1).count(), 3'333'333);
    EXPECT_EQ(s.time_of_tick(2).count(), 6'666'666);
    EXPECT_EQ(s.time_of_tick(3).count(), 10'000'000);
    EXPECT_EQ(s.time_of_tick(300).count(), 1'000'000'000);
    EXPECT_EQ(s.time_of_tick(300 * 3'600 + 1).count(), 3'600'003'333'333);

    s.machine.hz = 1024;
    EXPECT_EQ(s.time_of_tick(1).count(), 976'562);
    EXPECT_EQ(s.time_of_tick(1024).count(), 1'000'000'000);
    std::int64_t before = 0;
    for (std::uint64_t n = 1; n <= 3'000; ++n) {
        const std::int64_t time = s.time_of_tick(n).count();
        ASSERT_GE(time - before, 976'562);
        ASSERT_LE(time - before, 976'563);
        before = time;
    }
}

TEST(TaskNames, SeveralOrForkedTasksAreNumbered) {
    Scenario s;
    s.groups.resize(3);
    s.groups[0].name = "init";
    s.groups[1].name = "httpd";
    s.groups[1].count = 20;
    s.groups[2].name = "cgi";
    s.groups[2].count = 0;
    EXPECT_EQ(s.task_name(0, 1), "init");
    EXPECT_EQ(s.task_name(1, 1), "httpd.1");
    EXPECT_EQ(s.task_name(1, 17), "httpd.17");
    EXPECT_EQ(s.task_name(2, 1), "cgi.1");   // forked tasks are always numbered
    EXPECT_EQ(s.task_name(0, 5), "init.5");  // forked
}

TEST(TaskNames, ComeFromMachineRows) {
    const Scenario s = parse_scenario("names.json", R"({"format": "switchyard-scenario/1", "machine": {},
        "tasks": [{"name": "init", "program": []}, {"name": "httpd", "count": 2, "program": []}]})");
    const auto policy = make_policy("linux-2.0").policy;
    const Machine m = Engine(s, *policy).initial_state();
    EXPECT_EQ(s.task_name(m, 0), "idle");
    EXPECT_EQ(s.task_name(m, 1), "init");
    EXPECT_EQ(s.task_name(m, 2), "httpd.1");
    EXPECT_EQ(s.task_name(m, 3), "httpd.2");
    EXPECT_EQ(s.name, "names");
}

TEST(Scenario, MachineShapeHasRoomForForks) {
    const std::string head = R"({"format": "switchyard-scenario/1", "machine": {}, )";
    const Scenario plain = parse_scenario("x", head + R"("tasks": [
        {"name": "a", "count": 3, "program": [{"wait": "c"}, {"wake": "d"}, {"wait": "c"}]},
        {"name": "b", "program": [{"loop": 2, "steps": [{"loop": 2, "steps": [{"run": "1ms"}]}]}]}]})");
    EXPECT_EQ(plain.shape, (MachineShape{.cpus = 1, .tasks = 4, .channels = 2, .loop_depth = 2, .mms = 6}));

    const Scenario forks =
        parse_scenario("x", head + R"("tasks": [{"name": "a", "count": 3, "program": [{"fork": "a"}]}]})");
    EXPECT_EQ(forks.shape.tasks, 1'003u);
    const Scenario asked =
        parse_scenario("x", head + R"("max_tasks": 9, "tasks": [{"name": "a", "program": []}]})");
    EXPECT_EQ(asked.shape.tasks, 9u);
}

}  // namespace scenario_test
}  // namespace sim
