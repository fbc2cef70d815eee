#include "sim/check/recorded_results.h"

#include <fmt/format.h>

#include <set>

#include "sim/base/join.h"
#include "sim/base/text.h"
#include "sim/check/recorded_case.h"
#include "sim/check/textbook_case.h"

namespace sim {
namespace {

constexpr std::size_t kMaxLineBytes = std::size_t{4} << 20;

// Creates the reader for a line. The value of "policy" in the line selects the reader. GoodnessCase is the
// default; it reports unknown policies and invalid lines.
std::unique_ptr<RecordedCase> make_recorded_case(const JsonTree& text, int line, VerifyResult& result) {
    const nlohmann::json root = text.root().to_nlohmann_json();
    const bool says = root.is_object() && root.contains("policy") && root.at("policy").is_string();
    const std::string policy = says ? root.at("policy").get<std::string>() : "";
    if (policy == "linux-2.6.20") return make_o1_case(text, line, result);
    if (policy == "linux-2.6.24" || policy == "linux-2.6.32" || policy == "linux-6.6")
        return make_fair_case(text, line, result);
    return make_goodness_case(text, line, result);
}

// Reads the next line without its line end. Returns false at the end of the file. Throws if the line is
// longer than 4 MiB.
bool read_line(std::istream& in, std::string& line, const std::string& file, int number) {
    line.clear();
    for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
        if (c == '\n') return true;
        line.push_back(static_cast<char>(c));
        if (line.size() > kMaxLineBytes)
            throw ScenarioError(
                Problem{file, number, 1, {}, "the line is longer than 4 MiB; expected recorded decisions"});
    }
    return !line.empty();
}

// True if the line is an exercise of OSTEP's programs. Only exercises have the member "jobs".
bool is_ostep_exercise(const JsonTree& text) { return text.root().find("jobs") != nullptr; }

// True if the first line opens a JSON object that continues on further lines. Such a file contains the
// tables of textbooks.
bool begins_textbook_tables(const std::string& line) {
    return line.find_first_not_of(" \t\r{") == std::string::npos && line.find('{') != std::string::npos;
}

void replay_textbook_file(std::istream& in, const std::string& file, std::string text, VerifyResult& result,
                          const VerifyOptions& options) {
    text += '\n';
    for (int c = in.get(); c != std::istream::traits_type::eof() && text.size() <= kMaxJsonBytes;
         c = in.get())
        text.push_back(static_cast<char>(c));
    replay_textbook_tables(JsonTree(file, text), result, options);
}

}  // namespace

VerifyResult verify_recorded_results(std::istream& lines, const std::string& file,
                                     const VerifyOptions& options) {
    VerifyResult result;
    std::set<std::string> specs;
    std::string line;
    for (int number = 1; read_line(lines, line, file, number); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        try {
            if (number == 1 && begins_textbook_tables(line)) {
                replay_textbook_file(lines, file, line, result, options);
                break;
            }
            const JsonTree text(file, line);
            if (is_ostep_exercise(text))
                replay_ostep_case(text, number, result, options);
            else if (options.only.empty())
                make_recorded_case(text, number, result)->replay(options.policy, specs, options.make);
            else
                throw ScenarioError(
                    Problem{file, 1, 1, {}, "--only selects exercises, but this file contains decisions"});
        } catch (const ScenarioError& error) {
            std::vector<Problem> problems = error.problems();
            for (Problem& problem : problems) problem.line += problem.line > 0 ? number - 1 : number;
            throw ScenarioError(std::move(problems));
        } catch (const PolicyError& error) {
            throw PolicyError(
                fmt::format("{} (in the case of {}:{})", error.what(), printable(file), number));
        }
    }
    if (result.cases + result.left_out == 0 && !options.only.empty())
        throw ScenarioError(Problem{
            file, 0, 0, {}, fmt::format("no case of '{}' in this file", printable_excerpt(options.only))});
    if (result.cases + result.left_out == 0)
        throw ScenarioError(Problem{file, 0, 0, {}, "no recorded decisions in this file"});
    for (const VerifyResult::ExerciseGroup& group : result.groups)
        specs.insert(group.policies.begin(), group.policies.end());
    if (!result.groups.empty()) result.compared_values_text = "schedules and metrics";
    result.policies = join(specs, ", ");
    return result;
}

}  // namespace sim
