#include "sim/scenario/scenario_json.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/atomic_file.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/os/files.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/foreign_files.h"
#include "sim/scenario/job_list.h"
#include "sim/scenario/scenario_builder.h"
#include "sim/scenario/scenario_reader.h"
#include "sim/scenario/scenario_tree.h"

namespace sim {
namespace {

constexpr const char* kJobsOfCommandLine =
    "jobs.json";  // ScenarioText::file of a job table that was not read from a file

}  // namespace

Scenario parse_scenario(std::string file, std::string text, std::span<const std::string> sets,
                        const std::string& folder, std::vector<Problem>* notices) {
    std::vector<Problem> noted;
    ScenarioTree source(std::move(file), std::move(text), &noted);
    for (const std::string& assignment : sets) source.set(assignment);
    ScenarioBuilder draft(source);
    draft.problems.add(std::move(noted));
    draft.problems.add_notices(source.notices());
    draft.scenario.name = printable(std::filesystem::path(source.file()).stem().string());
    read_scenario(draft, source.root(), folder);
    draft.problems.throw_if_any();
    if (notices != nullptr) *notices = draft.problems.notices();
    return std::move(draft.scenario);
}

Scenario parse_scenario(const ScenarioText& text, std::span<const std::string> sets,
                        std::vector<Problem>* notices) {
    Scenario scenario = parse_scenario(text.file, text.text, sets, text.folder, notices);
    if (!text.name.empty()) scenario.name = printable(text.name);
    return scenario;
}

ScenarioText find_scenario(const std::string& path_or_name) {
    namespace fs = std::filesystem;
    std::error_code error;
    const bool looks_like_a_file = path_or_name == "-" || os::has_directory_part(path_or_name) ||
                                   path_or_name.ends_with(".json") || fs::exists(path_or_name, error);
    if (looks_like_a_file) {
        const std::string folder = path_or_name == "-" ? "" : fs::path(path_or_name).parent_path().string();
        const std::string file = path_or_name == "-" ? "standard input" : path_or_name;
        std::string text = read_text_file(path_or_name, kMaxScenarioBytes);
        if (const std::string what = describe_foreign_file(path_or_name, text); !what.empty())
            throw ScenarioError(Problem{file, 0, 0, {}, what});
        if (looks_like_jobs(text)) text = scenario_of_jobs(read_jobs(file, text));
        return {file, std::move(text), folder.empty() && path_or_name != "-" ? "." : folder};
    }
    if (const BuiltinFile* file = find_builtin_file(path_or_name + ".json"); file != nullptr)
        return {std::string(file->name), std::string(file->text), {}};
    if (const std::string file = path_or_name + ".json"; fs::exists(file, error)) return find_scenario(file);
    if (has_job_row(path_or_name))
        return {kJobsOfCommandLine, scenario_of_jobs(read_jobs("the job table", path_or_name)), {}, "jobs"};
    const auto names = builtin_file_names("");
    throw ScenarioError(Problem{path_or_name,
                                0,
                                0,
                                {},
                                fmt::format("no such file or scenario{} (`switchyard list scenarios` "
                                            "lists the scenarios)",
                                            did_you_mean(path_or_name, names))});
}

Scenario load_scenario(const std::string& path_or_name, std::span<const std::string> sets,
                       std::vector<Problem>* notices) {
    return parse_scenario(find_scenario(path_or_name), sets, notices);
}

}  // namespace sim
