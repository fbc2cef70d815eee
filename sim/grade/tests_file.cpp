#include "sim/grade/tests_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "sim/base/atomic_file.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/check/recorded_results.h"
#include "sim/core/policy.h"
#include "sim/os/files.h"
#include "sim/scenario/assertions.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/scenario_json.h"

namespace sim::grade {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGrades = "grades/";  // directory of the built-in tests and their recordings
constexpr std::string_view kRecordingEnding = ".jsonl";
constexpr std::size_t kMostTests = 200;
constexpr std::size_t kMostScenarios = 100;
constexpr std::size_t kMaxAssertionsOfTest = 100;
constexpr std::uint32_t kMostPoints = 1'000;
constexpr std::size_t kLongestHint = 1'000;
constexpr std::size_t kLargestRecording = std::size_t{16} << 20;

std::vector<std::string> builtin_recordings() {
    std::vector<std::string> names;
    for (const BuiltinFile& file : builtin_files()) {
        std::string_view name = file.name;
        if (!name.starts_with(kGrades) || !name.ends_with(kRecordingEnding)) continue;
        name.remove_prefix(kGrades.size());
        name.remove_suffix(kRecordingEnding.size());
        names.emplace_back(name);
    }
    return names;
}

class TestsReader {
  public:
    // `folder`: directory of the tests; std::nullopt for built-in tests, which must not name files.
    TestsReader(const JsonTree& source, std::optional<std::string> folder)
        : source_(source), folder_(std::move(folder)), problems_(source), values_(problems_) {}

    // Adds the problems that the JSON parser found in the text.
    void add(const std::vector<Problem>& noted) {
        for (const Problem& problem : noted) noted_.emplace(problem.line, problem.column);
        problems_.add(noted);
    }

    void read(Tests& target) {
        const JsonValue *tests = nullptr, *scenarios = nullptr;
        const ValueReader::ObjectReadResult read = values_.object(
            source_.root(),
            {{"format", [&](const JsonValue& v) { read_format(v); },
              "\"format\": \"switchyard-grade/1\" is missing: this is not a file of tests"},
             {"title", [&](const JsonValue& v) { target.title = values_.single_line(v, 200); }},
             {"about", [&](const JsonValue& v) { target.about = values_.string(v, kLongestHint); }},
             {"scenarios", scenarios},
             {"tests", tests}});
        if (read) {
            if (scenarios != nullptr) read_scenarios(*scenarios, target);
            if (tests != nullptr)
                read_tests(*tests, target);
            else
                problems_.add(source_.root(), "\"tests\" is missing: expected a list ([...])");
        }
        problems_.throw_if_any();
    }

  private:
    void read_format(const JsonValue& value) {
        values_.choice(value, std::vector<std::pair<std::string, bool>>{{"switchyard-grade/1", true}});
    }

    // Returns the value's text at the same lines and columns as in the file, so that a problem has the same
    // position in both. Each character before the value is replaced by a space; line ends are kept.
    ScenarioText text_of(const JsonValue& value) const {
        const std::string& all = source_.text();
        std::string text;
        for (std::size_t at = 0; at < value.value_begin();) {
            const Character c = character_at(all, at);
            text += c.code == '\n' ? '\n' : ' ';
            at += c.bytes;
        }
        text += all.substr(value.value_begin(), value.value_end() - value.value_begin());
        return {source_.file(), std::move(text), folder_.value_or(""), std::string(value.key())};
    }

    // Reads a scenario and applies `assignments`. On failure, adds problems and returns nullptr. `at`:
    // position of the problem if the file of the scenario cannot be read. `own`: the scenario in this file;
    // nullptr if the scenario is in another file.
    std::shared_ptr<const Scenario> parse(const ScenarioText& text, const JsonValue& at, const JsonValue* own,
                                          const std::vector<std::string>& assignments,
                                          const JsonValue* assignments_value) {
        try {
            return std::make_shared<const Scenario>(parse_scenario(text, assignments));
        } catch (const ScenarioError& error) {
            std::vector<Problem> placed = error.problems();
            if (own != nullptr)  // add() has added the parse problems of this file
                std::erase_if(placed, [&](const Problem& p) { return noted_.contains({p.line, p.column}); });
            for (Problem& problem : placed) {
                if (problem.file.starts_with("--set ") && assignments_value != nullptr)
                    problem = source_.problem_at(
                        *assignments_value, fmt::format("{}: {}", problem.file.substr(6), problem.message));
                else if (own != nullptr && problem.file == source_.file())
                    problem.pointer = own->pointer() + problem.pointer;
                else if (own == nullptr && problem.line == 0)  // the file cannot be read
                    problem = source_.problem_at(at, problem.message);
            }
            problems_.add(std::move(placed));
        }
        return nullptr;
    }

    // The value's text. The indentation of its last line is removed from all its lines.
    std::string unindented_text(const JsonValue& value) const {
        const std::string whole =
            source_.text().substr(value.value_begin(), value.value_end() - value.value_begin());
        const std::size_t last = whole.rfind('\n') + 1;  // 0 if the text has only one line
        const std::size_t indent = last == 0 ? 0 : whole.find_first_not_of(' ', last) - last;
        std::string text;
        for (std::size_t at = 0; at < whole.size();) {
            const std::size_t end = std::min(whole.find('\n', at), whole.size());
            const std::size_t blanks = at == 0 ? 0 : std::min(whole.find_first_not_of(' ', at), end) - at;
            const std::size_t from = at + std::min(blanks, indent);
            text += whole.substr(from, end - from) + "\n";
            at = end + 1;
        }
        return text;
    }

    void read_scenarios(const JsonValue& value, Tests& target) {
        if (!value.is_object())
            return problems_.add(
                value, "expected an object ({...}) of scenarios by name, got " + text_in_message(value));
        if (value.size() > kMostScenarios)
            return problems_.add(
                value, fmt::format("too many scenarios: {}; the limit is {}", value.size(), kMostScenarios));
        for (const JsonValue* member : value.children()) {
            const std::string name = values_.name_from_key(*member);
            if (name.empty()) continue;
            own_[name] = member;
            if (!member->is_object())
                problems_.add(*member, "expected a scenario ({...}), got " + text_in_message(*member));
            else if ((parsed_[name] = parse(text_of(*member), *member, member, {}, nullptr)) != nullptr)
                target.scenarios.push_back({name, unindented_text(*member)});
        }
    }

    // Resolves a path relative to the directory of the tests.
    std::string resolved_path(const std::string& path) const {
        return fs::path(path).is_absolute() ? path : (fs::path(folder_.value_or("")) / path).string();
    }

    static bool is_a_path(const std::string& text, std::string_view extension) {
        return os::has_directory_part(text) || text.ends_with(extension);
    }

    // Reads a name or the path of a file. If it is invalid, adds a problem and returns an empty string.
    std::string read_name(const JsonValue& value) {
        const std::size_t before = problems_.count();
        std::string name = values_.single_line(value, 4096);
        if (name.empty() && problems_.count() == before) problems_.add(value, "a name must not be empty");
        return problems_.count() > before ? std::string{} : name;
    }

    // Returns true if the tests may name files. Otherwise adds a problem.
    bool check_may_name_files(const JsonValue& at) {
        if (!folder_) problems_.add(at, "built-in tests must not name files");
        return folder_.has_value();
    }

    std::shared_ptr<const Scenario> read_scenario_named(const JsonValue& value,
                                                        const std::vector<std::string>& assignments,
                                                        const JsonValue* assignments_value) {
        const std::string name = read_name(value);
        if (name.empty()) return nullptr;
        if (const auto its = own_.find(name); its != own_.end()) {
            // `unmodified` is null if the scenario is invalid; its problems have already been added.
            const std::shared_ptr<const Scenario> unmodified = parsed_[name];
            if (assignments.empty() || unmodified == nullptr) return unmodified;
            return parse(text_of(*its->second), value, its->second, assignments, assignments_value);
        }
        try {
            if (is_a_path(name, ".json")) {
                if (!check_may_name_files(value)) return nullptr;
                return parse(find_scenario(resolved_path(name)), value, nullptr, assignments,
                             assignments_value);
            }
            if (find_builtin_file(name + ".json") != nullptr)
                return parse(find_scenario(name), value, nullptr, assignments, assignments_value);
        } catch (const ScenarioError& error) {
            problems_.add(value, fmt::format("{}: {}", shorten(name), error.problems().front().message));
            return nullptr;
        }
        std::vector<std::string> known = builtin_file_names("");
        for (const auto& [own, member] : own_) known.push_back(own);
        problems_.add(value, fmt::format("unknown scenario '{}', neither in this file nor built in{} (the "
                                         "name of a file contains '/' or ends in .json)",
                                         shorten(name), did_you_mean(name, known)));
        return nullptr;
    }

    // --- recorded decisions ---

    std::shared_ptr<const RecordedDecisions> read_recording(const JsonValue& value) {
        const std::string name = read_name(value);
        if (name.empty()) return nullptr;
        if (const auto its = recordings_.find(name); its != recordings_.end()) return its->second;
        auto recording = std::make_shared<RecordedDecisions>();
        try {
            if (is_a_path(name, kRecordingEnding)) {
                if (!check_may_name_files(value)) return nullptr;
                *recording = {name, read_text_file(resolved_path(name), kLargestRecording)};
            } else if (const BuiltinFile* file =
                           find_builtin_file(fmt::format("{}{}{}", kGrades, name, kRecordingEnding))) {
                *recording = {fmt::format("{}{}", name, kRecordingEnding), std::string(file->text)};
            } else {
                problems_.add(value, fmt::format("no built-in recording '{}'{}", shorten(name),
                                                 did_you_mean(name, builtin_recordings())));
                return nullptr;
            }
        } catch (const ScenarioError& error) {
            problems_.add(value, fmt::format("{}: {}", shorten(name), error.problems().front().message));
            return nullptr;
        }
        try {
            std::istringstream lines(recording->text);
            (void)verify_recorded_results(lines, recording->name, VerifyOptions{});
        } catch (const ScenarioError& error) {
            problems_.add(error.problems());
            return nullptr;
        }
        return recordings_[name] = recording;
    }

    // --- tests ---

    // REQUIRES: the scenarios of the test have been read.
    void read_reference(const JsonValue& value, Test& test) {
        const std::size_t before = problems_.count();
        const std::string spec = values_.single_line(value, kLongestHint);
        if (problems_.count() > before) return;
        const bool is_file = spec.find(".lua") != std::string::npos;
        if (is_file && !check_may_name_files(value)) return;
        test.reference = is_file ? resolved_path(spec) : spec;
        test.reference_label = spec;
        std::uint32_t cpus = 1;
        for (const auto& scenario : test.scenarios)
            if (scenario != nullptr) cpus = std::max(cpus, scenario->cpus);
        try {
            (void)make_policy(test.reference, cpus);
        } catch (const PolicyError& error) {
            problems_.add(value, error.what());
        }
    }

    void read_assertions(const JsonValue& value, Test& test) {
        if (!value.is_array() || value.size() == 0)
            return problems_.add(value,
                                 "expected a list of assertions ([...]), got " + list_in_message(value));
        if (value.size() > kMaxAssertionsOfTest)
            return problems_.add(value, fmt::format("too many assertions: {}; the limit is {}", value.size(),
                                                    kMaxAssertionsOfTest));
        for (const JsonValue* assertion : value.children())
            if (auto e = read_assertion(problems_, *assertion, {})) test.claims.push_back(std::move(*e));
    }

    static std::string list_in_message(const JsonValue& value) {
        return value.is_array() ? "an empty list" : text_in_message(value);
    }

    std::vector<std::string> read_assignments(const JsonValue& value) {
        std::vector<std::string> assignments;
        if (!value.is_array()) {
            problems_.add(value, "expected a list of changes like [\"/tasks/0/count=3\"], got " +
                                     list_in_message(value));
            return assignments;
        }
        for (const JsonValue* set : value.children()) {
            const std::size_t before = problems_.count();
            std::string text = values_.single_line(*set);
            if (problems_.count() > before) continue;
            try {
                (void)read_assignment(text);
                assignments.push_back(std::move(text));
            } catch (const ScenarioError& error) {
                problems_.add(*set, error.problems().front().message);
            }
        }
        return assignments;
    }

    void read_options(const JsonValue& value, Test& test) {
        if (!value.is_array()) {
            test.options = {values_.single_line(value, 200)};
        } else if (value.size() == 0) {
            problems_.add(value, "expected options like \"quantum=4\", got an empty list");
        } else {
            for (const JsonValue* one : value.children())
                test.options.push_back(values_.single_line(*one, 200));
        }
    }

    void read_points_rule(const JsonValue& value, Test& test) {
        std::vector<std::pair<std::string, PointsRule>> words{{"all", PointsRule::all},
                                                              {"each", PointsRule::each}};
        if (test.kind == TestKind::decisions) words.emplace_back("decisions", PointsRule::decisions);
        test.share = values_.choice(value, words);
    }

    // Members of a test that are read after its kind is known; null: missing.
    struct TestMembers {
        const JsonValue *decisions = nullptr, *claims = nullptr, *agrees = nullptr;
        const JsonValue *scenario = nullptr, *scenarios = nullptr, *set = nullptr, *in = nullptr,
                        *share = nullptr;
    };

    // Adds a problem for each member that the kind of the test does not allow.
    void check_members(const TestMembers& members, TestKind test_kind) {
        const auto goes_with = [&](const JsonValue* member, TestKind kind, const char* which) {
            if (member != nullptr && test_kind != kind)
                problems_.add(*member, fmt::format("\"{}\" is only allowed with {}", member->key(), which),
                              true);
        };
        goes_with(members.in, TestKind::agreement, "\"agrees_with\"");
        goes_with(members.scenario, TestKind::claims, "\"claims\"");
        goes_with(members.scenarios, TestKind::agreement,
                  "\"agrees_with\"; with \"claims\", write one \"scenario\"");
        if (members.set != nullptr && test_kind == TestKind::decisions)
            problems_.add(*members.set, "\"set\" changes scenarios, but this test has no scenario", true);
    }

    // REQUIRES: the test has "agrees_with".
    void read_agreement(const JsonValue& value, const TestMembers& members,
                        const std::vector<std::string>& assignments, Test& test) {
        if (members.in != nullptr)
            test.agreement =
                values_.choice(*members.in, std::vector<std::pair<std::string, AgreementCriterion>>{
                                                {"schedule", AgreementCriterion::schedule},
                                                {"decisions", AgreementCriterion::decisions}});
        if (members.scenarios == nullptr)
            problems_.add(
                value,
                "\"scenarios\" is missing: expected a list of scenarios in which both policies must agree");
        else
            read_scenario_references(*members.scenarios, assignments, members.set, test);
        read_reference(*members.agrees, test);
    }

    void read_test(const JsonValue& value, Tests& target) {
        Test test;
        TestMembers members;
        const ValueReader::ObjectReadResult read = values_.object(
            value, {{"name", [&](const JsonValue& v) { test.name = values_.single_line(v, 100); },
                     "\"name\" is missing: expected the name of the test in the report"},
                    {"points", [&](const JsonValue& v) { test.points = values_.count(v, 1, kMostPoints); }},
                    {"hint", [&](const JsonValue& v) { test.hint = values_.string(v, kLongestHint); }},
                    {"options", [&](const JsonValue& v) { read_options(v, test); }},
                    {"decisions", members.decisions},
                    {"claims", members.claims},
                    {"agrees_with", members.agrees},
                    {"in", members.in},
                    {"scenario", members.scenario},
                    {"scenarios", members.scenarios},
                    {"set", members.set},
                    {"points_by", members.share}});
        if (!read) return;
        const int kinds =
            (members.decisions != nullptr) + (members.claims != nullptr) + (members.agrees != nullptr);
        if (kinds != 1)
            return problems_.add(
                value,
                fmt::format(
                    "expected exactly one of \"decisions\", \"claims\" and \"agrees_with\"; this test has {}",
                    kinds == 0 ? "none" : "several"));
        test.kind = members.decisions != nullptr ? TestKind::decisions
                    : members.claims != nullptr  ? TestKind::claims
                                                 : TestKind::agreement;
        check_members(members, test.kind);
        if (members.share != nullptr) read_points_rule(*members.share, test);
        const std::vector<std::string> assignments =
            members.set != nullptr ? read_assignments(*members.set) : std::vector<std::string>{};
        if (members.decisions != nullptr) test.recording = read_recording(*members.decisions);
        if (members.claims != nullptr) {
            read_assertions(*members.claims, test);
            if (members.scenario == nullptr)
                problems_.add(value,
                              "\"scenario\" is missing: expected the scenario that the assertions are about");
            else
                test.scenarios = {read_scenario_named(*members.scenario, assignments, members.set)};
        }
        if (members.agrees != nullptr) read_agreement(value, members, assignments, test);
        target.tests.push_back(std::move(test));
    }

    void read_scenario_references(const JsonValue& value, const std::vector<std::string>& assignments,
                                  const JsonValue* set_json, Test& test) {
        if (!value.is_array() || value.size() == 0)
            return problems_.add(value,
                                 "expected a list of scenarios ([...]), got " + list_in_message(value));
        if (value.size() > kMostScenarios)
            return problems_.add(
                value, fmt::format("too many scenarios: {}; the limit is {}", value.size(), kMostScenarios));
        for (const JsonValue* name : value.children())
            test.scenarios.push_back(read_scenario_named(*name, assignments, set_json));
    }

    void read_tests(const JsonValue& value, Tests& target) {
        if (!value.is_array() || value.size() == 0)
            return problems_.add(value, "expected a list of tests ([...]), got " + list_in_message(value));
        if (value.size() > kMostTests)
            return problems_.add(
                value, fmt::format("too many tests: {}; the limit is {}", value.size(), kMostTests));
        std::set<std::string> names;
        for (const JsonValue* test : value.children()) {
            const std::size_t before = target.tests.size();
            read_test(*test, target);
            if (target.tests.size() == before || target.tests.back().name.empty()) continue;
            if (!names.insert(target.tests.back().name).second)
                problems_.add(*test, fmt::format("duplicate test name '{}'", target.tests.back().name));
        }
    }

    const JsonTree& source_;
    std::optional<std::string> folder_;
    Problems problems_;
    ValueReader values_;
    std::set<std::pair<int, int>> noted_;          // lines and columns of parse problems
    std::map<std::string, const JsonValue*> own_;  // "scenarios" of this file
    std::map<std::string, std::shared_ptr<const Scenario>> parsed_;
    std::map<std::string, std::shared_ptr<const RecordedDecisions>> recordings_;
};

}  // namespace

const char* to_string(TestKind kind) {
    switch (kind) {
        case TestKind::decisions:
            return "decisions";
        case TestKind::claims:
            return "claims";
        case TestKind::agreement:
            return "agreement";
    }
    return "";
}

std::uint32_t Tests::max_points() const {
    std::uint32_t all = 0;
    for (const Test& test : tests) all += test.points;
    return all;
}

std::vector<std::string> builtin_test_names() { return builtin_file_names(kGrades); }

Tests load_tests(const std::string& path_or_name) {
    Tests tests;
    tests.name = path_or_name;
    std::string file = path_or_name, text;
    std::optional<std::string> folder;
    if (os::has_directory_part(path_or_name) || path_or_name.ends_with(".json") || path_or_name == "-") {
        text = read_text_file(path_or_name, kMaxJsonBytes);
        if (path_or_name == "-") file = "standard input";
        folder = path_or_name == "-" ? "" : fs::path(path_or_name).parent_path().string();
    } else if (const BuiltinFile* builtin =
                   find_builtin_file(fmt::format("{}{}.json", kGrades, path_or_name))) {
        file = builtin->name;
        text = builtin->text;
    } else {
        throw ScenarioError(
            Problem{path_or_name,
                    0,
                    0,
                    {},
                    fmt::format("no built-in tests with this name{} (`switchyard list grades` lists them; "
                                "the name of a file of tests contains '/' or ends in .json)",
                                did_you_mean(path_or_name, builtin_test_names()))});
    }
    std::vector<Problem> noted;
    const JsonTree source(std::move(file), std::move(text), &noted);
    TestsReader reader(source, std::move(folder));
    reader.add(std::move(noted));
    reader.read(tests);
    return tests;
}

}  // namespace sim::grade
