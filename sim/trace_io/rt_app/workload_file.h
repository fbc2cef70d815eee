// The JSON of a workload of rt-app, with checked access to its values. Problems are collected, so that one
// reading reports all of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/types.h"
#include "sim/scenario/json_tree.h"

namespace sim::trace_io {

inline constexpr std::int64_t kMostMicros = kHorizon.count() / 1000;

class WorkloadFile {
  public:
    // Throws ScenarioError if the text is not JSON.
    WorkloadFile(const std::string& file, std::string text);

    const std::string& name() const { return tree_.file(); }
    const JsonValue& root() const { return tree_.root(); }

    // Adds a problem. Problems beyond a limit are dropped.
    void add_problem(const JsonValue& value, std::string message, bool at_key = false);
    // Adds a problem and throws all problems as one ScenarioError.
    [[noreturn]] void add_problem_and_throw(const JsonValue& value, std::string message);
    void throw_if_problems();

    // Throws all problems if the value is not an object.
    const JsonValue& require_object(const JsonValue& value);
    // Each of the following functions returns the value. If the value is not of the expected kind, the
    // function adds a problem and returns the minimum or an empty text. `expected`: description of a valid
    // value for the message, such as "a number of times".
    std::int64_t integer_in_range(const JsonValue& value, std::int64_t min_value, std::int64_t max_value,
                                  const char* expected);
    std::int64_t microseconds(const JsonValue& value);
    std::string text(const JsonValue& value, const char* expected);

  private:
    JsonTree tree_;
    std::vector<Problem> problems_;
};

}  // namespace sim::trace_io
