// `switchyard verify`: replay recorded decisions of a real kernel.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/input_file.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/check/vectors.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"

namespace sim::cli {
namespace {

// "3 cases", "1 case differs", "none differs".
std::string cases(std::uint64_t count, const std::string& verb) {
    if (count == 0) return "none" + verb;
    if (count == 1) return "1 case" + verb;
    return grouped(count) + " cases" + (verb.empty() ? "" : verb.substr(0, verb.size() - 1));
}

int execute_verify(const CommonOptions& o, const std::vector<std::string>& files) {
    if (o.policies.size() > 1) throw UsageError("verify takes one --policy");
    const std::string policy = o.policies.empty() ? "" : o.policies.front();
    if (!policy.empty()) make_policy(policy);  // a mistyped name is the command's fault, not the file's

    std::string text;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    std::uint64_t decisions = 0, differences = 0;
    for (const std::string& file : files) {
        InputFile in(file);
        if (in.peek() == InputFile::traits_type::eof())
            throw ScenarioError(Problem{in.name(), 0, 0, {}, "empty: recorded decisions are expected"});
        const VerifyResult r = verify(in, in.name(), policy);
        decisions += r.decisions;
        differences += r.differences;
        text += fmt::format("{}: {}, {} decisions under {}: {}\n",
                            file == "-" ? "standard input" : printable(file), cases(r.cases, ""),
                            grouped(r.decisions), r.policies, cases(r.differences, " differs"));
        if (!r.first_difference.empty()) text += "first difference: " + r.first_difference;
        list.push_back({{"file", file},
                        {"policy", r.policies},
                        {"cases", r.cases},
                        {"decisions", r.decisions},
                        {"differences", r.differences},
                        {"compared", r.compared},
                        {"first_difference", r.first_difference}});
        if (!r.whole)
            text += fmt::format("  compared: {}; how a choice is found is this policy's own\n", r.compared);
    }
    if (files.size() > 1)
        text += fmt::format("in all: {} decisions, {}\n", grouped(decisions), cases(differences, " differs"));
    deliver(o.json() ? json_text(list, 2) + "\n" : text, o.output);
    return differences == 0 ? kDone : kFailed;
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
    auto o = std::make_shared<CommonOptions>();
    auto files = std::make_shared<std::vector<std::string>>();
    CLI::App* command = app.add_subcommand("verify", "replay recorded decisions of a real kernel");
    command->add_option("FILE", *files, "JSON lines of recorded decisions; '-' for standard input")
        ->required()
        ->type_name("");
    add_repeatable(*command, "--policy", o->policies, "POLICY",
                   "let this policy decide instead of the recorded one");
    add_output_options(*command, *o);
    set_examples(*command, {"switchyard verify tests/decisions/linux-2.0.jsonl",
                            "switchyard verify tests/decisions/linux-2.0.jsonl --policy sorted-queue",
                            "switchyard verify tests/decisions/linux-2.0.jsonl "
                            "tests/decisions/linux-2.0-yield-one-tick.jsonl --format json"});
    command->callback([o, files, &exit_code] { exit_code = execute_verify(*o, *files); });
}

}  // namespace sim::cli
