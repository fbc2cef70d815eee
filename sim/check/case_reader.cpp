#include "sim/check/case_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/suggest.h"
#include "sim/base/text.h"

namespace sim {

std::string printable_excerpt(const std::string& text) { return printable(shorten(text, 4'000)); }

void CaseReader::fail(const std::string& pointer, std::string message) const {
    throw ScenarioError(text_.problem_at(pointer, std::move(message)));
}

const CaseReader::Json& CaseReader::member(const Json& object, const std::string& pointer,
                                           const char* key) const {
    if (!object.contains(key)) fail(pointer, fmt::format("\"{}\" is missing", key));
    return object.at(key);
}

const CaseReader::Json& CaseReader::array(const Json& value, const std::string& pointer) const {
    require(value.is_array(), pointer, "expected an array");
    return value;
}

std::string CaseReader::read_string(const Json& value, const std::string& pointer) const {
    require(value.is_string(), pointer, "expected a string");
    return value.get<std::string>();
}

std::int64_t CaseReader::read_integer(const Json& value, const std::string& pointer, std::int64_t maximum,
                                      std::int64_t minimum) const {
    const bool fits = value.is_number_integer() &&
                      !(value.is_number_unsigned() && value.get<std::uint64_t>() >> 63 != 0) &&
                      value.get<std::int64_t>() >= minimum && value.get<std::int64_t>() <= maximum;
    if (!fits) fail(pointer, fmt::format("expected a whole number from {} to {}", minimum, maximum));
    return value.get<std::int64_t>();
}

void CaseReader::refuse_unknown_keys(const Json& object, const std::string& pointer,
                                     const std::vector<std::string>& known) const {
    for (const auto& [key, value] : object.items())
        if (std::find(known.begin(), known.end(), key) == known.end())
            fail(pointer + "/" + escaped_pointer_segment(key),
                 fmt::format("unknown key '{}'{}", key, did_you_mean(key, known)));
}

}  // namespace sim
