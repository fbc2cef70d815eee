#include "sim/trace_io/rt_app/workload_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sim/scenario/json_text.h"

namespace sim::trace_io {

WorkloadFile::WorkloadFile(const std::string& file, std::string text)
    : tree_(file, std::move(text), nullptr, kMaxJsonBytes, JsonMemberOrder::as_written) {}

void WorkloadFile::add_problem(const JsonValue& value, std::string message, bool at_key) {
    constexpr std::size_t kMost = 50;
    if (problems_.size() < kMost) problems_.push_back(tree_.problem_at(value, std::move(message), at_key));
}

void WorkloadFile::add_problem_and_throw(const JsonValue& value, std::string message) {
    add_problem(value, std::move(message));
    throw ScenarioError(std::move(problems_));
}

void WorkloadFile::throw_if_problems() {
    if (!problems_.empty()) throw ScenarioError(std::move(problems_));
}

const JsonValue& WorkloadFile::require_object(const JsonValue& value) {
    if (!value.is_object()) add_problem_and_throw(value, "expected an object ({...}), got " + kind_of(value));
    return value;
}

std::int64_t WorkloadFile::integer_in_range(const JsonValue& value, std::int64_t min_value,
                                            std::int64_t max_value, const char* expected) {
    const nlohmann::json plain = value.to_nlohmann_json();
    if (!plain.is_number_integer()) {
        add_problem(value, fmt::format("expected {}, got {}", expected, kind_of(value)));
        return min_value;
    }
    const bool is_huge =
        plain.is_number_unsigned() && plain.get<std::uint64_t>() > static_cast<std::uint64_t>(max_value);
    const std::int64_t n = is_huge ? 0 : plain.get<std::int64_t>();
    if (is_huge || n < min_value || n > max_value) {
        add_problem(value,
                    fmt::format("{} is out of range: from {} to {}", json_text(plain), min_value, max_value));
        return min_value;
    }
    return n;
}

std::int64_t WorkloadFile::microseconds(const JsonValue& value) {
    return integer_in_range(value, 0, kMostMicros, "a number of microseconds");
}

std::string WorkloadFile::text(const JsonValue& value, const char* expected) {
    if (value.is_string()) return std::string(value.text());
    add_problem(value, fmt::format("expected {}, got {}", expected, kind_of(value)));
    return "";
}

}  // namespace sim::trace_io
