#include "sim/problem.h"

namespace sim {

std::string Problem::text() const {
    std::string place = file;
    if (line > 0) place += ":" + std::to_string(line) + ":" + std::to_string(column);
    if (!pointer.empty()) place += ": " + pointer;
    return place + ": " + message;
}

ScenarioError::ScenarioError(std::vector<Problem> problems)
    : std::runtime_error(problems.empty() ? "no problem" : problems.front().text()), problems_(std::move(problems)) {}

}  // namespace sim
