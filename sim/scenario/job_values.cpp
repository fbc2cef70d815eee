#include "sim/scenario/job_values.h"

#include <fmt/format.h>

#include <charconv>

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/scenario/json_edit.h"

namespace sim {

bool has_digit(std::string_view text) { return text.find_first_of("0123456789") != std::string_view::npos; }

bool is_plain_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

std::optional<Nanos> parse_job_time(std::string_view typed, std::string_view unit, std::string& why) {
    if (!has_digit(typed)) {
        why = fmt::format("expected a time, like 8 (in ms) or 8ms, got '{}'", printable(shorten(typed, 40)));
        return std::nullopt;
    }
    if (typed.find(',') != std::string_view::npos) {
        why = fmt::format("'{}': write a decimal point, not a comma", printable(shorten(typed, 40)));
        return std::nullopt;
    }
    return parse_time(is_plain_number(typed) ? fmt::format("{}{}", typed, unit) : std::string(typed), why);
}

std::optional<std::int32_t> parse_job_priority(std::string_view typed, std::string& why) {
    std::int32_t number = 0;
    const char* const end = typed.data() + typed.size();
    const auto [last, error] = std::from_chars(typed.data(), end, number);
    if (error == std::errc{} && last == end && number >= 1 && number <= 40) return number;
    why = fmt::format("expected a whole number from 1 to 40, got '{}'", printable(shorten(typed, 40)));
    return std::nullopt;
}

std::string job_time_text(Nanos time) { return time == Nanos{} ? "0ms" : format_time(time); }

std::string json_of(const ListedJob& job) {
    std::string json = fmt::format(R"({{"name": {}, "arrival": "{}", "burst": "{}")", json_string(job.name),
                                   job_time_text(job.arrival), job_time_text(job.burst));
    if (job.priority) json += fmt::format(R"(, "priority": {})", *job.priority);
    return json + "}";
}

std::string json_of(std::span<const ListedJob> jobs) {
    std::string list;
    for (const ListedJob& job : jobs) list += (list.empty() ? "\n        " : ",\n        ") + json_of(job);
    return "[" + list + "\n    ]";
}

}  // namespace sim
