#include "sim/cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "sim/base/main_wrapper.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/output.h"
#include "sim/cli/scenario_input.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/renamed_keys.h"
#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/import/input_kind.h"

namespace sim::cli {

std::vector<std::string> CommonOptions::scenario_settings() const {
    std::vector<std::string> all = sets;
    if (seed) all.push_back(fmt::format("/seed={}", *seed));
    if (!until.empty()) all.push_back(fmt::format("/until=\"{}\"", until));
    return all;
}

Scenario CommonOptions::load_scenario_with_settings() const {
    std::vector<Problem> notices;
    Scenario loaded = parse_scenario(read_scenario(scenario), scenario_settings(), &notices);
    print_notices(notices);
    return loaded;
}

void CommonOptions::print_notices(std::vector<Problem> notices) const {
    std::stable_sort(notices.begin(), notices.end(),
                     [](const Problem& a, const Problem& b) { return a.line < b.line; });
    for (const Problem& notice : notices)
        if (!quiet) print_diagnostic(notice.text());
}

void CommonOptions::print_vary_notices(const std::vector<std::string>& vary) const {
    std::set<const RenamedKey*> noticed;
    for (const std::string& axis : vary) {
        std::string pointer = axis.substr(0, axis.find('='));
        if (!pointer.starts_with('/')) pointer.insert(0, 1, '/');
        std::optional<std::vector<std::string>> pieces = json_pointer_segments(pointer);
        const RenamedKey* const key = pieces ? replace_old_key(*pieces) : nullptr;
        if (key != nullptr && noticed.insert(key).second && !quiet)
            print_diagnostic(fmt::format("--vary {}: {}", shorten(axis, 100), notice_of(*key)));
    }
}

lab::Measure parse_measure_option(const std::string& text) {
    const std::string_view name = lab::current_measure_name(text);
    if (name != text) print_diagnostic(fmt::format("--measure: {} is now {}", text, name));
    return lab::find_measure(name);
}

void add_output_options(Command& command, CommonOptions& options) {
    command.add_option("--format", options.format, "text or json")
        .check(one_of({"text", "json"}))
        .show_default();
    add_output_option(command, options.output);
    command.add_flag("--quiet", options.quiet, "do not show progress or hints");
}

void add_scenario_options(Command& command, CommonOptions& options, TraceInput trace_input) {
    Option& scenario = command.add_option(
        "SCENARIO", options.scenario,
        trace_input == TraceInput::read ? "a file, '-', a name from `switchyard list scenarios`, or a trace"
                                        : "a file, '-', or a name from `switchyard list scenarios`");
    scenario.required().type_name("");
    scenario.check({[trace_input](const std::string& path) {
        if (trace_input == TraceInput::read && trace_io::is_trace_or_unsupported(path)) return std::string{};
        const std::string why = trace_io::why_not_a_scenario(path);
        return why.empty() ? why : fmt::format("{} is {}", printable(path), why);
    }});
    command.add_repeatable(
        "--set", options.sets, "POINTER=VALUE",
        "change a value of the scenario; repeatable (POINTER is a JSON pointer: /tasks/0/count)");
    command.add_option("--seed", options.seed, "set the seed of the random numbers").type_name("N");
    command.add_option("--until", options.until, "end the run at this simulated time").type_name("TIME");
}

Nanos parse_time_option(const char* option, const std::string& text) {
    std::string why;
    const std::optional<Nanos> time = parse_time(text, why);
    if (!time) throw UsageError(fmt::format("{} {}: {}", option, text, why));
    return *time;
}

}  // namespace sim::cli
