// Whether the summary in a row of a results file is one that a sweep writes: the same words in the same
// order, each with a value of its kind.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace sim::lab {

struct ShapeProblem {
    std::string pointer;  // within the summary
    std::string message;
};

// The first thing that is otherwise than row_json() makes it.
std::optional<ShapeProblem> shape_problem(const nlohmann::ordered_json& summary);

}  // namespace sim::lab
