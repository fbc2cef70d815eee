// Tests of `switchyard figure`: every kind and format of figure, and the rejected arguments.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/command_line.h"
#include "tests/support/test_sizes.h"

namespace figure_test {

constexpr const char* kSweep = SWITCHYARD_SOURCE_DIR "/docs/figures/sweep.jsonl";

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Words> figures() {
    std::vector<Words> all{
        {"figure", "histogram", "two-hogs", "--policy", "linux-2.0", "--policy", "round-robin"},
        {"figure", "timeline", "two-hogs", "--from", "195ms", "--to", "405ms"},
        {"figure", "gantt", "two-hogs", "--to", "1s"},
        {"figure", "gantt", "two-hogs", "--to", "1s", "--row-per", "task"},
        {"figure", "vruntime", "two-hogs", "--policy", "linux-6.6", "--to", "100ms"},
        {"figure", "costs", "two-hogs"},
        {"figure", "costs", "yield-processes", "--vary", "/tasks/0/count=2,4", "--until", "20ms"},
        {"figure", "sweep", kSweep}};
    if (kOptimised) all.push_back({"figure", "lat-ctx"});  // seven simulations that take seconds
    return all;
}

// Returns true if the SVG contains a colour `#rrggbb` that is not grey.
bool has_colours(const std::string& svg) {
    for (std::size_t at = 0; (at = svg.find("\"#", at)) != std::string::npos; at += 2)
        if (svg.substr(at + 2, 2) != svg.substr(at + 4, 2) || svg.substr(at + 2, 2) != svg.substr(at + 6, 2))
            return true;
    return false;
}

TEST_F(CommandLine, FigureFileEqualsStandardOutput) {
    for (const Words& words : figures()) {
        const std::string svg = output(words);
        EXPECT_TRUE(svg.starts_with("<svg xmlns")) << joined(words);
        EXPECT_TRUE(svg.ends_with("</svg>\n")) << joined(words);
        Words to_file = words;
        to_file.insert(to_file.end(), {"--output", "a.svg"});
        EXPECT_EQ(output(to_file), "");
        EXPECT_EQ(bytes_of(folder() / "a.svg"), svg) << joined(words);
        EXPECT_EQ(listing(), (std::set<std::string>{"a.svg", "scenarios", "tests"}));
    }
}

TEST_F(CommandLine, FigureContainsCreatingCommand) {
    for (const Words& words : figures()) {
        if (words[1] == "sweep") continue;  // the path of the results differs from machine to machine
        EXPECT_NE(output(words).find(">switchyard " + joined({words[0], words[1]})), std::string::npos)
            << joined(words);
    }
}

TEST_F(CommandLine, FigureForPrintHasNoColours) {
    for (Words words : figures()) {
        EXPECT_TRUE(has_colours(output(words))) << joined(words);
        words.insert(words.end(), {"--theme", "print"});
        EXPECT_FALSE(has_colours(output(words))) << joined(words);
    }
}

TEST_F(CommandLine, FigureFormatFollowsFileExtension) {
    Words words{"figure", "costs", "two-hogs", "--output", "a.png"};
    const Finished f = switchyard(words);
    if (f.exit_code == 2) {
        EXPECT_NE(f.err.find("this build cannot write PNG"), std::string::npos) << f;
        return;
    }
    EXPECT_TRUE(bytes_of(folder() / "a.png").starts_with("\x89PNG\r\n"));
    EXPECT_EQ(output({"figure", "costs", "two-hogs", "--format", "png"}), bytes_of(folder() / "a.png"));
    output({"figure", "costs", "two-hogs", "--format", "svg", "--output", "b.png"});
    EXPECT_TRUE(bytes_of(folder() / "b.png").starts_with("<svg"));
}

TEST_F(CommandLine, BadFigureArgumentsAreRefusedWithoutWriting) {
    expect_refused({"figure"}, "FIGURE");
    expect_refused({"figure", "lat-ctxx"}, "did you mean 'lat-ctx'?");
    expect_refused({"figure", "timeline"}, "needs a SUBJECT: a scenario");
    expect_refused({"figure", "sweep"}, "a results file");
    expect_refused({"figure", "lat-ctx", "two-hogs"}, "takes no SUBJECT");
    expect_refused({"figure", "lat-ctx", "--from", "3ms"}, "--from cannot be used with `figure lat-ctx`");
    expect_refused({"figure", "timeline", "two-hogs", "--vary", "/a=1"}, "--vary cannot be used with");
    expect_refused({"figure", "lat-ctx", "--row", "x"}, "--row can only be used with `figure yield-table`");
    expect_refused({"figure", "yield-table", "--row", "befor, processes"},
                   "did you mean 'before, processes'?");
    expect_refused({"figure", "lat-ctx", "--theme", "drak"}, "did you mean 'dark'?");
    for (const char* size :
         {"10x10", "960", "960x", "x600", "960x600x2", "9000x100", "-960x600", "99999999999x5", ""})
        expect_refused({"figure", "lat-ctx", "--size", size}, "--size");
    expect_refused({"figure", "lat-ctx", "--output", "a.jpg"}, "ends in .svg or .png");
    expect_refused({"figure", "costs", "two-hogs", "--output", "nowhere/a.svg"}, "nowhere/a.svg");
    expect_refused({"figure", "timeline", "two-hogs", "--from", "5"}, "did you mean \"5ms\"?");
    expect_refused({"figure", "timeline", "two-hogs", "--from", "5ms", "--to", "5ms"}, "is empty");
    expect_refused({"figure", "timeline", "two-hogs", "--from", "100s"}, "the run ends at");
    expect_refused({"figure", "timeline", "yield-processes", "--to", "1s"}, "choose a shorter range");
    expect_refused({"figure", "timeline", "two-hogs", "--policy", "linux-2.0", "--policy", "nt4"},
                   "one --policy");
    expect_refused(
        {"figure", "vruntime", "two-hogs"},
        "the policy linux-2.0 has no virtual run times; choose one of linux-2.6.24, linux-2.6.32 and "
        "linux-6.6 with --policy");
    expect_refused({"figure", "vruntime", "two-hogs", "--policy", "linux-6.6", "--policy", "linux-2.6.24"},
                   "`figure vruntime` takes only one --policy");
    expect_refused({"figure", "vruntime", "two-hogs", "--policy", "linux-6.6", "--from", "100s"},
                   "the run ends at 21s, before the start of the time range");
    expect_refused({"figure", "vruntime", "two-hogs", "--policy", "linux-6.6", "--to", "0ms"}, "is empty");
    expect_refused({"figure", "vruntime", "two-hogs", "--until", "1s"}, "--until cannot be used with");
    expect_refused({"figure", "vruntime", "yield-processes", "--policy", "linux-2.6.24", "--to", "1s"},
                   "choose a shorter time range");
    expect_refused({"figure", "costs", "two-hogs", "--vary", "count=2"}, "POINTER=VALUES");
    expect_refused({"figure", "costs", "two-hogs", "--vary", "/tasks/0/count=1..100"}, "can show at most");
    expect_refused({"figure", "costs", "two-hogs", "--vary", "/tasks/0/count=2,many"}, "/tasks/0/count");
    expect_refused({"figure", "histogram", "two-hogs", "--policy", "linux-2.1"}, "linux-2.1");
    expect_refused({"figure", "sweep", "nothere.jsonl"}, "nothere.jsonl: no such file; `switchyard sweep");
    expect_refused({"figure", "sweep", "scenarios/two-hogs.json"}, "two-hogs.json:1");
    expect_refused({"figure", "sweep", kSweep, "--x-axis", "/tasks/1/count"},
                   "the sweep has no such axis; did you mean '/tasks/0/count'? (available: /tasks/0/count)");
    expect_refused({"figure", "sweep", kSweep, "--measure", "us-per-yeild"}, "--measure");
    EXPECT_EQ(listing(), (std::set<std::string>{"scenarios", "tests"}));
}

TEST_F(CommandLine, SweepFigureLabelsCurvesAndCrossovers) {
    const std::string svg = output({"figure", "sweep", kSweep});
    for (const char* text :
         {">linux-2.0</text>", ">linux-2.0:yield=one_tick</text>", ">sorted-queue</text>",
          ">sorted-queue is cheaper</text>", ">than linux-2.0</text>", ">from 4 on (about 3.7)</text>",
          ">than linux-2.0:yield=one_tick</text>", ">from 10 on (about 9.95)</text>",
          ">spinner \u00d7</text>", ">/tasks/0/count</text>"})
        EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST_F(CommandLine, FigureUsesTitleAndXLabelOptions) {
    for (Words words : figures()) {
        words.insert(words.end(), {"--title", "Mine & yours"});
        const bool is_table = words[1] == "lat-ctx";
        if (is_table)
            expect_refused({"figure", "lat-ctx", "--xlabel", "x"},
                           "--xlabel cannot be used with `figure lat-ctx`");
        else
            words.insert(words.end(), {"--xlabel", "what is varied"});
        const std::string svg = output(words);
        EXPECT_NE(svg.find("<title>Mine &amp; yours</title>"), std::string::npos) << joined(words);
        EXPECT_NE(svg.find(">Mine &amp; yours</text>"), std::string::npos) << joined(words);
        EXPECT_EQ(svg.find(">what is varied</text>") == std::string::npos, is_table) << joined(words);
    }
    // The command printed below the figure reproduces it.
    EXPECT_NE(output({"figure", "costs", "two-hogs", "--title", "Mine", "--xlabel", "a b"})
                  .find(">switchyard figure costs two-hogs --title Mine --xlabel 'a b'  (seed"),
              std::string::npos);
}

TEST_F(CommandLine, TimelineFigureShowsLongestRunningTasks) {
    // Thirty tasks that run briefly are listed before the one that uses nearly all CPU time.
    write_file(folder() / "many.json", R"({
        "format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "policy": "linux-2.0", "until": "1s",
        "tasks": [{"name": "early", "count": 30, "program": [{"loop": "forever", "steps": [{"run": "10us"}, {"sleep": "500ms"}]}]},
                  {"name": "hog", "program": [{"loop": "forever", "steps": [{"run": "1s"}]}]}]})");
    const std::string svg = output({"figure", "timeline", "many.json", "--from", "0ms", "--to", "300ms"});
    EXPECT_NE(svg.find(">hog</text>"), std::string::npos);
    EXPECT_NE(svg.find(">Not shown: 7 more with 0.023 % of all run time</text>"), std::string::npos) << svg;
}

TEST_F(CommandLine, VruntimeFigureHasCurvePerTask) {
    for (const char* policy : {"linux-2.6.24", "linux-2.6.32", "linux-6.6"}) {
        const std::string svg = output({"figure", "vruntime", "lesson-2-goodness", "--policy", policy});
        // The alarm is a real-time task and has no virtual time.
        for (const char* name : {">backup</text>", ">build</text>", ">render</text>", ">editor</text>"})
            EXPECT_NE(svg.find(name), std::string::npos) << policy << name;
        EXPECT_EQ(svg.find(">alarm</text>"), std::string::npos) << policy;
        EXPECT_EQ(svg.find(">V: ") != std::string::npos, std::string(policy) == "linux-6.6") << policy;
        EXPECT_NE(svg.find(">vruntime - min_vruntime, ms</text>"), std::string::npos);
    }
    const std::string many = output({"figure", "vruntime", "two-hogs", "--policy", "linux-6.6", "--set",
                                     "/tasks/0/count=12", "--to", "1s"});
    EXPECT_NE(many.find("; not shown: 5 more tasks, which run less</text>"), std::string::npos);
}

TEST_F(CommandLine, VruntimeFigureShowsSelectedCpu) {
    const auto on_cpu = [&](const char* cpu, const char* tasks) {
        return switchyard({"figure", "vruntime", "two-hogs", "--policy", "linux-6.6", "--set", "/cpus=2",
                           "--set", tasks, "--cpu", cpu, "--to", "50ms"});
    };
    // Five tasks on two CPUs: two on one, three on the other. At 50 ms none has been moved yet.
    std::size_t curves = 0;
    for (const std::string cpu : {"0", "1"}) {
        const Finished run = on_cpu(cpu.c_str(), "/tasks/0/count=5");
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_NE(run.out.find(">CPU " + cpu + " of 2: "), std::string::npos);
        for (const char* name : {">hog.1<", ">hog.2<", ">hog.3<", ">hog.4<", ">hog.5<"})
            curves += run.out.find(name) != std::string::npos;
    }
    EXPECT_EQ(curves, 5u);
    // A task alone on its CPU is scheduled only once.
    const Finished alone = on_cpu("1", "/tasks/0/count=2");
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_NE(alone.err.find(
                  "on CPU 1 from 0ns to 50ms, tasks of the fair class are scheduled fewer than two times"),
              std::string::npos)
        << alone.err;
    EXPECT_EQ(on_cpu("2", "/tasks/0/count=2").err,
              "switchyard: --cpu 2: the scenario has 2 CPUs, numbered from 0\n");
    // The axis ends where the run ends.
    EXPECT_EQ(output({"figure", "vruntime", "two-hogs", "--policy", "linux-6.6", "--to", "77h"})
                  .find("277,200,000"),
              std::string::npos);
}

TEST_F(CommandLine, TimelineFigureOmitsSleepingTasks) {
    const std::string svg =
        output({"figure", "timeline", "yield-processes", "--from", "12ms", "--to", "12.2ms"});
    for (const char* text :
         {">CPU 0</text>", ">spinner.1</text>", ">spinner.2</text>", "70 tasks asleep all the time"})
        EXPECT_NE(svg.find(text), std::string::npos) << text;
}

}  // namespace figure_test
