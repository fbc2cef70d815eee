// Checks the shape of a summary in a results file: the keys and their order, and the types of the values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace sim::lab {

struct SummaryShapeProblem {
    std::string pointer;  // position in the summary
    std::string message;
};

// The first difference between the summary and the shape that sweep_row_json() writes; nullopt if there is
// none.
std::optional<SummaryShapeProblem> find_summary_shape_problem(const nlohmann::ordered_json& summary);

}  // namespace sim::lab
