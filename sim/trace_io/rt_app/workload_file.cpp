#include "sim/trace_io/rt_app/workload_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sim/scenario/json_text.h"

namespace sim::trace_io {

WorkloadFile::WorkloadFile(const std::string& file, std::string text)
    : tree_(file, std::move(text), nullptr, kMaxJsonBytes, JsonMembers::as_written) {}

void WorkloadFile::add_problem(const JsonValue& value, std::string message, bool at_key) {
    constexpr std::size_t kMost = 50;
    if (problems_.size() < kMost) problems_.push_back(tree_.problem_at(value, std::move(message), at_key));
}

void WorkloadFile::refuse_all(const JsonValue& value, std::string message) {
    add_problem(value, std::move(message));
    throw ScenarioError(std::move(problems_));
}

void WorkloadFile::throw_if_any() {
    if (!problems_.empty()) throw ScenarioError(std::move(problems_));
}

const JsonValue& WorkloadFile::need_object(const JsonValue& value) {
    if (!value.is_object()) refuse_all(value, "expected an object ({...}), got " + kind_of(value));
    return value;
}

std::int64_t WorkloadFile::number(const JsonValue& value, std::int64_t least, std::int64_t most,
                                  const char* of_what) {
    const nlohmann::json plain = value.plain();
    if (!plain.is_number_integer()) {
        add_problem(value, fmt::format("expected {}, got {}", of_what, kind_of(value)));
        return least;
    }
    const bool is_huge =
        plain.is_number_unsigned() && plain.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
    const std::int64_t n = is_huge ? 0 : plain.get<std::int64_t>();
    if (is_huge || n < least || n > most) {
        add_problem(value, fmt::format("{} is out of range: from {} to {}", json_text(plain), least, most));
        return least;
    }
    return n;
}

std::int64_t WorkloadFile::microseconds(const JsonValue& value) {
    return number(value, 0, kMostMicros, "a number of microseconds");
}

std::string WorkloadFile::text(const JsonValue& value, const char* of_what) {
    if (value.is_string()) return std::string(value.text());
    add_problem(value, fmt::format("expected {}, got {}", of_what, kind_of(value)));
    return "";
}

}  // namespace sim::trace_io
