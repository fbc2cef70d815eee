// `switchyard verify`: replays recorded decisions of a real kernel, or textbook exercises.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/input_file.h"
#include "sim/base/join.h"
#include "sim/base/text.h"
#include "sim/check/recorded_results.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/scenario/json_text.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

// A number of cases with a verb (or none): "3 cases", "1 case differs", "none differs".
std::string cases(std::uint64_t count, const std::string& verb) {
    if (count == 0) return "none" + verb;
    if (count == 1) return "1 case" + verb;
    return group_digits(count) + " cases" + (verb.empty() ? "" : verb.substr(0, verb.size() - 1));
}

// Lists the groups of exercises. A group contains the exercises that the book solves with one policy.
std::string groups_text(const VerifyResult& r) {
    std::size_t width = 0;
    for (const VerifyResult::ExerciseGroup& group : r.groups) width = std::max(width, group.name.size());
    std::string text;
    for (const VerifyResult::ExerciseGroup& group : r.groups) {
        text += fmt::format("  {:<{}}  ", printable(group.name), width);
        if (group.cases > 0)
            text += fmt::format("{}{}{}: {}", cases(group.cases, ""), group.policies.empty() ? "" : " under ",
                                join(group.policies, ", "), cases(group.differences, " differs"));
        bool first = group.cases == 0;
        for (const auto& [why, count] : group.left_out) {
            text +=
                fmt::format("{}{} skipped: {}", first ? "" : "\n" + std::string(width + 4, ' '), count, why);
            first = false;
        }
        text += '\n';
    }
    return text;
}

std::string result_text(const VerifyResult& r, const std::string& file) {
    const std::string name = file == "-" ? "standard input" : printable(file);
    if (r.groups.empty())
        return fmt::format("{}: {}, {} decisions under {}: {}\n", name, cases(r.cases, ""),
                           group_digits(r.decisions), r.policies, cases(r.differences, " differs"));
    const std::string left_out = r.left_out > 0 ? fmt::format("; {} skipped", r.left_out) : "";
    return fmt::format("{}: {}, {}: {}{}\n", name, cases(r.cases, ""), r.compared_values_text,
                       cases(r.differences, " differs"), left_out) +
           groups_text(r);
}

ordered_json groups_of(const VerifyResult& r) {
    ordered_json list = ordered_json::array();
    for (const VerifyResult::ExerciseGroup& group : r.groups) {
        ordered_json left_out = ordered_json::object();
        for (const auto& [why, count] : group.left_out) left_out[why] = count;
        list.push_back({{"name", group.name},
                        {"policies", group.policies},
                        {"cases", group.cases},
                        {"differences", group.differences},
                        {"left_out", left_out}});
    }
    return list;
}

int execute_verify(const CommonOptions& o, const std::string& only, const std::vector<std::string>& files) {
    if (o.policies.size() > 1) throw UsageError("verify takes only one --policy");
    const std::string policy = o.policies.empty() ? "" : o.policies.front();
    // A mistyped policy is an error of the command, not of the file.
    if (!policy.empty()) make_policy(policy);

    std::string text;
    ordered_json list = nlohmann::ordered_json::array();
    std::uint64_t decisions = 0, differences = 0;
    for (const std::string& file : files) {
        InputFile in(file);
        if (in.peek() == InputFile::traits_type::eof())
            throw ScenarioError(Problem{in.name(),
                                        0,
                                        0,
                                        {},
                                        "the file is empty; expected recorded "
                                        "decisions"});
        const VerifyResult r =
            verify_recorded_results(in, in.name(), VerifyOptions{.policy = policy, .only = only});
        decisions += r.decisions;
        differences += r.differences;
        text += result_text(r, file);
        if (!r.first_difference.empty()) text += "first difference: " + r.first_difference;
        list.push_back({{"file", file},
                        {"policy", r.policies},
                        {"cases", r.cases},
                        {"decisions", r.decisions},
                        {"differences", r.differences},
                        {"compared", r.compared_values_text},
                        {"first_difference", r.first_difference}});
        if (!r.groups.empty()) list.back()["groups"] = groups_of(r);
        if (!r.whole)
            text += fmt::format("  compared: {}; the search work of this policy is not compared\n",
                                r.compared_values_text);
    }
    if (files.size() > 1)
        text += fmt::format("in total: {} decisions, {}\n", group_digits(decisions),
                            cases(differences, " differs"));
    write_output_text(o.is_json() ? json_text(list, 2) + "\n" : text, o.output);
    return differences == 0 ? kDone : kFailed;
}

}  // namespace

void add_verify_command(Command& program) {
    auto o = std::make_shared<CommonOptions>();
    auto only = std::make_shared<std::string>();
    auto files = std::make_shared<std::vector<std::string>>();
    Command& command = program.add_command(
        "verify",
        "check policies against recorded decisions of a real kernel, or against textbook exercises");
    command
        .add_option("FILE", *files, "JSON lines of recorded decisions, or exercises; '-' for standard input")
        .required()
        .type_name("");
    command.add_repeatable("--policy", o->policies, "POLICY",
                           "let this policy decide instead of the recorded one");
    command.add_option("--only", *only, "check only the exercises that the book solves with POLICY")
        .type_name("POLICY");
    add_output_options(command, *o);
    command.set_examples(
        {"switchyard verify tests/decisions/linux-2.0.jsonl tests/decisions/linux-2.2.jsonl",
         "switchyard verify tests/decisions/linux-2.0.jsonl --policy sorted-queue --format json",
         "switchyard verify tests/textbook/ostep.jsonl --only rr --policy scenarios/policies/rr.lua"});
    command.set_action([o, only, files] { return execute_verify(*o, *only, *files); });
}

}  // namespace sim::cli
