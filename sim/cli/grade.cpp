// `switchyard grade`: runs policy scripts of students against the tests of a homework.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "sim/base/csv.h"
#include "sim/base/join.h"
#include "sim/base/main_wrapper.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/output.h"
#include "sim/grade/grader.h"
#include "sim/lab/parallel.h"
#include "sim/os/streams.h"
#include "sim/scenario/json_text.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

struct GradeOptions : CommonOptions {
    std::vector<std::string> scripts;
    std::string tests;
    std::string scenario;
    std::int64_t budget = grade::kInstructions;
    unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
};

// A script with its result, or the reason why it cannot be used.
struct GradedScript {
    std::string script;
    std::optional<grade::GradingResult> graded;
    std::string unusable;

    std::uint32_t points() const { return graded ? graded->earned_points() : 0; }
};

// Shows progress on a terminal once grading takes longer than kMoment.
class GradeProgress {
  public:
    GradeProgress(std::size_t scripts, bool quiet)
        : scripts_(scripts), on_(!quiet && is_terminal()), next_(Clock::now() + kMoment) {}
    ~GradeProgress() {
        if (shown_) print_error(fmt::format("\r{:40}\r", ""));
    }
    GradeProgress(const GradeProgress&) = delete;
    GradeProgress& operator=(const GradeProgress&) = delete;

    void show(std::size_t done) {
        if (!on_ || Clock::now() < next_) return;
        next_ = Clock::now() + kMoment;
        shown_ = true;
        print_error(fmt::format("\r{} of {} scripts graded ", done, scripts_));
    }

  private:
    using Clock = std::chrono::steady_clock;  // wall clock, for the display only
    static constexpr std::chrono::milliseconds kMoment{500};

    static bool is_terminal() { return os::is_terminal(os::kStandardError); }

    std::size_t scripts_;
    bool on_, shown_ = false;
    Clock::time_point next_;
};

std::string indented_lines(const std::string& text, const std::string& indent) {
    std::string all;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        all += indent + text.substr(at, end - at) + "\n";
        at = end + 1;
    }
    return all;
}

// The first scenario, among those in the tests' file, whose test failed; empty: none.
std::string first_failed_scenario(const grade::Tests& tests, const grade::GradingResult& graded) {
    for (std::size_t i = 0; i < tests.tests.size(); ++i) {
        if (graded.results[i].passed()) continue;
        for (const auto& scenario : tests.tests[i].scenarios)
            for (const grade::EmbeddedScenario& own : tests.scenarios)
                if (own.name == scenario->name && graded.results[i].difference.starts_with(own.name))
                    return own.name;
    }
    return {};
}

// One line per test, with the reason of a failure below it.
std::string grading_report(const grade::Tests& tests, const grade::GradingResult& graded, bool quiet) {
    const std::size_t width = std::to_string(tests.max_points()).size();
    const std::string indent(2 * width + 6, ' ');
    std::string text =
        fmt::format("{}: {}\n\n", tests.title.empty() ? tests.name : tests.title, printable(graded.policy));
    for (std::size_t i = 0; i < tests.tests.size(); ++i) {
        const grade::Test& test = tests.tests[i];
        const grade::TestResult& result = graded.results[i];
        text += fmt::format("{:>{}} of {:>{}}  {}\n", result.points, width, test.points, width, test.name);
        if (result.passed()) continue;
        text += indented_lines(wrapped(result.said, 110), indent);
        text += indented_lines(result.difference, indent + "| ");
        if (!test.hint.empty()) text += indented_lines(wrapped("Hint: " + test.hint, 110), indent);
    }
    text += fmt::format("\n{} of {} points\n", graded.earned_points(), tests.max_points());
    const std::string scenario = quiet ? std::string{} : first_failed_scenario(tests, graded);
    if (!scenario.empty())
        text += fmt::format(
            "To save the failed scenario: switchyard grade --tests {} --show-scenario {} --output {}.json\n",
            printable(tests.name), scenario, scenario);
    return text;
}

// One row per script, one column per test.
std::string table_of(const grade::Tests& tests, const std::vector<GradedScript>& scripts) {
    std::size_t width = 6;
    for (const GradedScript& s : scripts) width = std::max(width, printable(s.script).size());
    std::string text = fmt::format("{:<{}}  {:>6}", "script", width, "points");
    for (std::size_t i = 0; i < tests.tests.size(); ++i) text += fmt::format(" {:>4}", i + 1);
    text += "\n";
    for (const GradedScript& s : scripts) {
        text += fmt::format("{:<{}}  {:>6}", printable(s.script), width, s.points());
        if (s.graded)
            for (const grade::TestResult& result : s.graded->results)
                text += fmt::format(" {:>4}", result.points);
        else
            text += " cannot be used: " + s.unusable;
        text += "\n";
    }
    text += "\n";
    for (std::size_t i = 0; i < tests.tests.size(); ++i)
        text += fmt::format("{:>4}  {} ({})\n", i + 1, tests.tests[i].name, tests.tests[i].points);
    return text + fmt::format("\n{} points in total; grade a single script to see its mistakes\n",
                              tests.max_points());
}

std::string scripts_csv(const grade::Tests& tests, const std::vector<GradedScript>& scripts) {
    std::string text = "script,points,of";
    for (const grade::Test& test : tests.tests) text += "," + quote_untrusted_csv_cell(test.name);
    text += ",problem\n";
    for (const GradedScript& s : scripts) {
        text += fmt::format("{},{},{}", quote_untrusted_csv_cell(s.script), s.points(), tests.max_points());
        for (std::size_t i = 0; i < tests.tests.size(); ++i)
            text += fmt::format(",{}", s.graded ? s.graded->results[i].points : 0);
        text += "," + quote_untrusted_csv_cell(s.unusable) + "\n";
    }
    return text;
}

ordered_json json_of(const grade::Tests& tests, const std::vector<GradedScript>& scripts) {
    ordered_json list = ordered_json::array();
    for (const GradedScript& s : scripts) {
        ordered_json results = ordered_json::array();
        for (std::size_t i = 0; s.graded && i < tests.tests.size(); ++i) {
            const grade::Test& test = tests.tests[i];
            const grade::TestResult& result = s.graded->results[i];
            results.push_back({{"name", test.name},
                               {"kind", to_string(test.kind)},
                               {"points", result.points},
                               {"of", test.points},
                               {"passed", result.passed()},
                               {"agreed", result.agreed},
                               {"parts", result.parts},
                               {"said", result.said},
                               {"first_difference", result.difference},
                               {"hint", result.passed() ? "" : test.hint}});
        }
        list.push_back({{"script", s.script},
                        {"points", s.points()},
                        {"of", tests.max_points()},
                        {"usable", s.graded.has_value()},
                        {"problem", s.unusable},
                        {"instructions", s.graded ? s.graded->instructions : 0},
                        {"results", results}});
    }
    return {{"format", "switchyard-grade-result/1"},
            {"tests", tests.name},
            {"title", tests.title},
            {"scripts", list}};
}

const std::string& find_scenario_text(const grade::Tests& tests, const std::string& name) {
    std::vector<std::string> names;
    for (const grade::EmbeddedScenario& scenario : tests.scenarios) {
        if (scenario.name == name) return scenario.text;
        names.push_back(scenario.name);
    }
    throw UsageError(
        fmt::format("--show-scenario {}: these tests have no scenario of that name{}{}", printable(name),
                    did_you_mean(name, names),
                    names.empty() ? std::string{} : fmt::format(" (available: {})", join(names, ", "))));
}

int execute_grade(const GradeOptions& o) {
    const grade::Tests tests = grade::load_tests(o.tests);
    if (!o.scenario.empty()) {
        if (!o.scripts.empty())
            throw UsageError(
                "--show-scenario prints a scenario of the tests and grades nothing; leave out SCRIPT");
        write_output_text(find_scenario_text(tests, o.scenario), o.output);
        return kDone;
    }
    if (o.scripts.empty()) throw UsageError("SCRIPT is missing: specify the policy to grade");
    // All scripts are read before grading: an unreadable file is not a student's failure.
    ScriptTexts texts;
    for (const std::string& script : o.scripts)
        if (const std::string file(name_in_spec(script)); is_script_file(file) && !texts.contains(file))
            texts.emplace(file, script_text(file));
    std::vector<GradedScript> scripts;
    bool all_points = true;
    GradeProgress progress(o.scripts.size(), o.quiet);
    const auto work = [&](std::uint64_t i) {
        GradedScript s{.script = o.scripts[i], .graded = {}, .unusable = {}};
        try {
            s.graded = grade::grade(tests, s.script, o.budget, texts);
        } catch (const PolicyError& error) {
            s.unusable = printable(error.what());
        }
        return s;
    };
    const auto take = [&](std::uint64_t, GradedScript&& s) {
        all_points = all_points && s.points() == tests.max_points();
        scripts.push_back(std::move(s));
        progress.show(scripts.size());
    };
    lab::process_in_order(o.scripts.size() > 1 ? o.jobs : 0, o.scripts.size(), work, take,
                          [&] { progress.show(scripts.size()); });
    // If several scripts are graded, a script that cannot be used gets no points. If there is only one
    // script, it is an error that this script cannot be used.
    if (scripts.size() == 1 && !scripts.front().graded) throw PolicyError(scripts.front().unusable);
    write_output_text(o.is_json()             ? json_text(json_of(tests, scripts), 2) + "\n"
                      : o.format == "csv"     ? scripts_csv(tests, scripts)
                      : o.scripts.size() == 1 ? grading_report(tests, *scripts.front().graded, o.quiet)
                                              : table_of(tests, scripts),
                      o.output);
    return all_points ? kDone : kFailed;
}

}  // namespace

void add_grade_command(Command& program) {
    auto o = std::make_shared<GradeOptions>();
    Command& command = program.add_command("grade", "grade policies with a set of tests");
    command
        .add_option("SCRIPT", o->scripts,
                    "policies to grade: files that end in .lua, or names of policies; if there are several, "
                    "one row is printed for each")
        .type_name("");
    command
        .add_option(
            "--tests", o->tests,
            "a file of tests, or a name from `switchyard list grades`; docs/how-to/homework.md describes the "
            "format")
        .required()
        .type_name("TESTS");
    command.add_option("--show-scenario", o->scenario, "print this scenario of the tests instead of grading")
        .type_name("NAME");
    command
        .add_option("--budget", o->budget,
                    "instructions that a script may execute in all of its tests together")
        .type_name("N")
        .check(in_range(std::int64_t{1}, std::int64_t{1'000'000'000'000}))
        .show_default();
    command.add_option("--jobs", o->jobs, "number of scripts to grade at the same time")
        .type_name("N")
        .check(in_range(1U, 1024U));
    command.add_option("--format", o->format, "text, csv or json")
        .check(one_of({"text", "csv", "json"}))
        .show_default();
    add_output_option(command, o->output);
    command.add_flag("--quiet", o->quiet, "do not show progress or hints");
    command.set_examples(
        {"switchyard grade scenarios/policies/mlfq.lua --tests first-scheduler",
         "switchyard grade scenarios/policies/linux_2_0.lua linux-2.0 --tests goodness --format csv",
         "switchyard grade --tests first-scheduler --show-scenario convoy"});
    command.set_action([o] { return execute_grade(*o); });
}

}  // namespace sim::cli
