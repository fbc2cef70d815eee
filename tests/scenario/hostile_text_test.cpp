// Hostile strings in all texts of a scenario are rejected with a message that is safe to print, or accepted
// and safe in all output.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/base/text.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/hostile_text.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace hostile_text_test {

using nlohmann::json;

constexpr std::size_t kTexts = 2'000;

const json& plain() {
    static const json scenario = json::parse(R"({
        "format": "switchyard-scenario/1", "title": "", "question": "", "hint": "", "until": "1ms",
        "machine": {"title": "", "hz": 100, "costs": {"syscall": {"time": "1us", "source": ""}},
                    "tlb": {"entries": 64, "source": "", "refill": "10ns"}},
        "locks": ["L"], "pipes": {"P": {"capacity": "4KiB"}}, "devices": {"D": {"service_time": "1ms"}},
        "tasks": [{"name": "A", "mm": "M", "program": [{"run": "1ms"}, {"wait": "C"}, {"lock": "L"}, {"unlock": "L"}]},
                  {"name": "B", "program": [{"wake": "C"}, {"pipe_write": "P"}, {"io": "D"}]}],
        "provenance": {"/until": "assumed: x"},
        "tour": [{"at": "0ns", "title": "", "caption": ""}]})");
    return scenario;
}

struct TextField {
    const char* pointer;
    enum { in_one_line, in_several, name, basis } kind;
};
constexpr TextField kFields[] = {{"/title", TextField::in_one_line},
                                 {"/question", TextField::in_several},
                                 {"/hint", TextField::in_several},
                                 {"/machine/title", TextField::in_one_line},
                                 {"/machine/costs/syscall/source", TextField::in_one_line},
                                 {"/machine/tlb/source", TextField::in_one_line},
                                 {"/tour/0/title", TextField::in_one_line},
                                 {"/tour/0/caption", TextField::in_several},
                                 {"/provenance/~1until", TextField::basis},
                                 {"/tasks/0/name", TextField::name},
                                 {"/tasks/0/mm", TextField::name},
                                 {"/tasks/0/program/1/wait", TextField::name}};
constexpr const char* kWords[] = {"/format",
                                  "/until",
                                  "/machine/hz",
                                  "/locks/0",
                                  "/tasks/1/program/0/wake",
                                  "/tasks/1/program/1/pipe_write",
                                  "/tasks/1/program/2/io",
                                  "/tour/0/at",
                                  "/tasks/0/program/0/run"};

// The problems of this text; empty if it is accepted.
std::vector<std::string> problems_of(const std::string& text) {
    std::vector<std::string> lines;
    try {
        (void)parse_scenario("h.json", text);
    } catch (const ScenarioError& error) {
        for (const Problem& problem : error.problems()) lines.push_back(problem.text());
    }
    return lines;
}

void expect_one_clean_line_each(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        EXPECT_EQ(find_unsafe_bytes(line), "");
        EXPECT_EQ(line.find_first_of("\n\t"), std::string::npos) << line;
    }
}

std::vector<std::string> some_texts() {
    std::vector<std::string> texts = hostile_texts(kTexts);
    // Sanitizer builds use every tenth text, optimized builds all.
    if (kOptimised) return texts;
    std::vector<std::string> some;
    for (std::size_t i = 0; i < texts.size(); i += 10) some.push_back(texts[i]);
    return some;
}

TEST(HostileText, PlainScenarioIsAccepted) {
    EXPECT_EQ(problems_of(plain().dump()), std::vector<std::string>{});
}

TEST(HostileText, TextIsAcceptedOnlyIfFullyPrintable) {
    std::size_t taken = 0;
    for (const std::string& text : some_texts())
        for (const TextField& field : kFields) {
            json scenario = plain();
            const json::json_pointer place(field.pointer);
            scenario[place] = field.kind == TextField::basis ? "assumed: x" + text : text;
            const std::vector<std::string> lines = problems_of(scenario.dump());
            expect_one_clean_line_each(lines);
            const bool has_blank = text.empty() || text.find_first_of(" \n\t") != std::string::npos ||
                                   text.find("\u00a0") != std::string::npos ||
                                   text.find("\u2003") != std::string::npos ||
                                   text.find("\u3000") != std::string::npos;
            const bool has_tab = text.find_first_of("\t\r") != std::string::npos;
            const bool has_end = text.find('\n') != std::string::npos;
            const bool good = find_unsafe_bytes(text).empty() && !has_tab &&
                              (field.kind == TextField::in_several || !has_end) &&
                              (field.kind != TextField::name || (!has_blank && text.size() <= 64));
            if (text == "idle" || (field.kind == TextField::name && text == "B")) continue;
            EXPECT_EQ(lines.empty(), good)
                << field.pointer << " = " << printable(text) << (lines.empty() ? "" : "\n" + lines.front());
            taken += lines.empty();
        }
    EXPECT_GT(taken, kOptimised ? 2'000u : 200u);
}

TEST(HostileText, InvalidWordErrorIsPrintable) {
    for (const std::string& text : some_texts())
        for (const char* pointer : kWords) {
            json scenario = plain();
            scenario[json::json_pointer(pointer)] = text;
            expect_one_clean_line_each(problems_of(scenario.dump()));
        }
}

TEST(HostileText, UnknownKeyErrorIsPrintable) {
    for (const std::string& text : some_texts())
        for (const char* pointer : {"", "/machine", "/machine/costs", "/tasks/0", "/tasks/0/program/0",
                                    "/devices", "/provenance", "/tour/0"}) {
            json scenario = plain();
            scenario[json::json_pointer(pointer)][text] = "1ms";
            expect_one_clean_line_each(problems_of(scenario.dump()));
        }
}

TEST(HostileText, FileBytesAreTextOrRefused) {
    for (const std::string& bytes : hostile_bytes(kTexts)) {
        expect_one_clean_line_each(problems_of(bytes));
        // Comments are displayed, too. A comment on its own line must not end before its line does.
        const std::vector<std::string> lines = problems_of("// " + bytes + "\n" + plain().dump());
        expect_one_clean_line_each(lines);
        if (bytes.find('\n') == std::string::npos) {
            EXPECT_EQ(lines.empty(), find_unsafe_bytes(bytes + "\n").empty()) << printable(bytes);
        }
    }
}

TEST(HostileText, SetOptionErrorIsPrintable) {
    for (const std::string& bytes : hostile_bytes(rounds(kTexts, kTexts, kTexts / 4)))
        for (const std::string& set :
             {bytes, "/title=" + bytes, "/" + bytes + "=1", "/tasks/0/name=" + bytes}) {
            try {
                (void)parse_scenario("h.json", plain().dump(), std::vector<std::string>{set});
            } catch (const ScenarioError& error) {
                for (const Problem& problem : error.problems()) expect_one_clean_line_each({problem.text()});
            }
        }
}

}  // namespace hostile_text_test
}  // namespace sim
