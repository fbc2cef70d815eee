// Tests of hostile strings in the commands: nothing dangerous reaches the terminal or files.
#include <nlohmann/json.hpp>

#include "tests/support/command_line.h"
#include "tests/support/hostile_text.h"
#include "tests/support/test_sizes.h"
#include "tests/support/xml_tree.h"

namespace {
namespace hostile_text_cli_test {

using nlohmann::json;

constexpr std::size_t kTexts = 2'000;
constexpr std::size_t kStops = 200;

class HostileTextCommand : public CommandLine {
  protected:
    // Runs the command, which may fail. Its output must not leak control characters.
    Finished safely(const Words& words, const std::string& input = "") const {
        const Finished f = switchyard(words, input);
        EXPECT_LE(f.exit_code, 2) << joined(words) << "\n" << f;
        EXPECT_EQ(find_unsafe_bytes(f.out), "") << joined(words);
        EXPECT_EQ(find_unsafe_bytes(f.err), "") << joined(words);
        return f;
    }
};

// Texts that a caption may contain.
Words shown_texts() {
    Words shown;
    for (const std::string& text : hostile_texts(6 * kTexts))
        if (find_unsafe_bytes(text).empty() && text.find_first_of("\t\r") == std::string::npos)
            shown.push_back(text);
    return shown;
}

// A scenario with these texts in all possible members.
json scenario_of(const Words& texts) {
    json scenario =
        json::parse(R"({"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "until": "1ms",
        "provenance": {}, "tasks": [], "tour": []})");
    const auto in_one_line = [](std::string text) {
        for (char& c : text)
            if (c == '\n' || c == '\r') c = ' ';
        return text;
    };
    scenario["title"] = in_one_line(texts.front());
    scenario["question"] = texts[1];
    scenario["hint"] = texts[2];
    for (const std::string& text : texts)
        scenario["tour"].push_back({{"at", "0ns"}, {"title", in_one_line(text)}, {"caption", text}});
    std::set<std::string> names{"idle"};
    for (const std::string& text : texts) {
        const bool is_name =
            !text.empty() && text.size() <= 64 && text.find_first_of(" \r\n") == std::string::npos &&
            text.find("\u00a0") == std::string::npos && text.find("\u2003") == std::string::npos &&
            text.find("\u3000") == std::string::npos && names.insert(text).second;
        if (is_name && scenario["tasks"].size() < 24)
            scenario["tasks"].push_back(
                {{"name", text}, {"program", json::array({{{"run", "10us"}}, "yield"})}});
    }
    if (scenario["tasks"].empty())
        scenario["tasks"].push_back({{"name", "A"}, {"program", json::array({{{"run", "1us"}}})}});
    return scenario;
}

TEST_F(HostileTextCommand, ScenarioTextsArePrintedSafely) {
    const Words texts = shown_texts();
    const std::size_t used = rounds(3u, 3u, 1u) * kStops;
    ASSERT_GT(texts.size(), used);
    for (std::size_t from = 0; from < used; from += kStops) {
        const json scenario = scenario_of(Words(texts.begin() + static_cast<std::ptrdiff_t>(from),
                                                texts.begin() + static_cast<std::ptrdiff_t>(from + kStops)));
        write_file(folder() / "h.json", scenario.dump());
        for (const Words& words :
             std::vector<Words>{{"run", "h.json"},
                                {"tour", "h.json"},
                                {"explain", "h.json", "--policy", "linux-2.6.20"},
                                {"compare", "h.json", "--policy", "linux-2.0", "--policy", "linux-2.4.22"},
                                {"check", "h.json"},
                                {"save", "h.json", "--set", "/until=2ms"}})
            EXPECT_EQ(safely(words).exit_code, 0) << joined(words) << safely(words);
        for (const char* view : {"vmstat", "pidstat", "perf-sched", "proc-status"})
            safely({"run", "h.json", "--view", view});
        for (const char* command : {"run", "tour", "explain"}) {
            const Finished f = safely({command, "h.json", "--format", "json"});
            EXPECT_FALSE(json::parse(f.out, nullptr, false).is_discarded()) << f.out;
        }
        const json told = json::parse(safely({"tour", "h.json", "--format", "json"}).out);
        for (std::size_t i = 0; i < kStops; ++i)
            EXPECT_EQ(told[i]["caption"], scenario["tour"][i]["caption"]);
        for (const char* figure : {"timeline", "histogram", "costs"}) {
            const Finished f = safely({"figure", figure, "h.json", "--format", "svg"});
            EXPECT_EQ(f.exit_code, 0) << figure << f;
            EXPECT_NO_THROW(read_xml(f.out)) << figure;
            EXPECT_EQ(safely({"figure", figure, "h.json", "--output", "h.png"}).exit_code, 0);
        }
    }
}

TEST_F(HostileTextCommand, ArgumentsArePrintedSafely) {
    const Words texts = hostile_bytes(kTexts);
    std::size_t i = 0;
    const auto next = [&]() -> const std::string& { return texts[(i += 7) % texts.size()]; };
    for (int round = 0; round < rounds(4, 2, 1); ++round) {
        safely({next()});
        safely({"run", next()});
        safely({"run", "two-hogs", "--policy", next()});
        safely({"run", "two-hogs", "--set", "/title=" + next(), "--until", "1ms"});
        safely({"run", "two-hogs", "--set", next()});
        safely({"run", "two-hogs", "--" + next()});
        safely({"run", "two-hogs", "--until", next()});
        safely({"run", "two-hogs", "--view", next()});
        safely({"figure", "timeline", "two-hogs", "--until", "1ms", "--format", "svg", "--title", next(),
                "--xlabel", next()});
        safely({"figure", next()});
        safely({"sweep", "two-hogs", "--vary", next()});
        safely({"sweep", "two-hogs", "--vary", "/tasks/0/nice=" + next(), "--until", "1ms"});
        safely({"sweep", "--results-from", next()});
        safely({"verify", next()});
        safely({"check", next(), next()});
        safely({"grade", next(), "--tests", next()});
        safely({"grade", next(), "mlfq", next(), "--tests", "goodness"});
        safely({"grade", "--tests", "first-scheduler", "--show-scenario", next()});
        safely({"new", "policy", next()});
        safely({"new", next(), next(), "--template", next()});
        safely({"link", "--decode", next()});
        safely({"link", "--decode", "#scenario=" + next()});
        safely({"link", "two-hogs", "--base-url", next()});
        safely({"link", "two-hogs", "--embed", "--set", "/title=" + next()});
        safely({"quiz", "--topic", next()});
        safely({"quiz", "--grade", next()});
        safely({"reproduce", next()});
        safely({"lesson", next()});
        safely({"list", next()});
        safely({"step"}, next() + "\n");
        safely({"step"}, "task " + next() + "\nshow\n");
        safely({"verify", "-"}, next() + "\n");
        safely({"check", "-"}, next());
        safely({"complete", "--", "switchyard", "run", next()});
    }
}

TEST_F(HostileTextCommand, FileNamesArePrintedSafely) {
    for (const char* name :
         {"\x1b[31m.json", "a\nb.json", "\u202enosj.json", "\xff\xfe.json", "\u009b.json", "a\x7f.json"}) {
        write_file(folder() / name, scenario_of({"a", "b", "c"}).dump());
        for (const Words& words :
             std::vector<Words>{{"run", name},
                                {"check", name},
                                {"tour", name},
                                {"compare", name, "--policy", "linux-2.0", "--policy", "linux-1.2"},
                                {"run", name, "--format", "json"},
                                {"check", name, "--format", "json"},
                                {"figure", "timeline", name, "--format", "svg"},
                                {"link", name},
                                {"sweep", name, "--vary", "/tasks/0/nice=0,1"},
                                {"sweep", name, "--vary", "/tasks/0/nice=0,1", "--format", "json"}})
            EXPECT_EQ(safely(words).exit_code, 0) << joined(words) << safely(words);
        write_file(folder() / name, "{");
        for (const char* command : {"run", "check", "tour", "verify"})
            EXPECT_EQ(safely({command, name}).exit_code, 2);
        EXPECT_EQ(safely({"quiz", "--grade", name}).exit_code, 2);
    }
}

}  // namespace hostile_text_cli_test
}  // namespace
