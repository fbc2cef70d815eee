#include "sim/cli/scenario_input.h"

#include "sim/trace_io/import/input_kind.h"

namespace sim::cli {

ScenarioText read_scenario(const std::string& path_or_name) {
    ScenarioText text = find_scenario(path_or_name);
    const std::string why = trace_io::why_not_a_scenario(path_or_name, text.text);
    if (!why.empty()) throw ScenarioError(Problem{text.file, 1, 1, {}, why});
    return text;
}

}  // namespace sim::cli
