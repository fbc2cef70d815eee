// Reads two members of a scenario: "expect" contains assertions about a run, which the tests check, and
// "tour" contains the stops of a guided tour.
#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/seek_target.h"
#include "sim/scenario/assertions.h"
#include "sim/scenario/scenario_reader.h"

namespace sim {
namespace {

constexpr std::size_t kMaxAssertions = 1'000;
constexpr std::size_t kMaxStops = 200;
constexpr std::size_t kLongestCaption = 1'000;
constexpr std::uint32_t kMostSteps = 1'000'000;  // largest value of decision_step, as in the schema

std::string read_pointer(Problems& problems, const JsonValue& value) {
    const std::size_t before = problems.count();
    std::string text = ValueReader(problems).single_line(value, kLongestPointer);
    if (problems.count() > before) return text;
    try {
        (void)nlohmann::json::json_pointer(text);
        if (text.empty())
            problems.add(value, "expected a JSON pointer like \"/yields/calls\", got an empty string");
    } catch (const nlohmann::json::exception&) {
        const bool no_slash = !text.starts_with('/') && text.find('~') == std::string::npos;
        problems.add(value, no_slash ? fmt::format("a JSON pointer starts with '/'; did you mean '/{}'?",
                                                   shorten(text))
                                     : "not a JSON pointer; write it like \"/yields/calls\"");
    }
    return text;
}

void read_range(Problems& problems, const JsonValue& between, Assertion& expectation) {
    if (!between.is_array() || between.size() != 2)
        return problems.add(between, "expected two numbers: [least, most]");
    const std::size_t before = problems.count();
    expectation.least = ValueReader(problems).number(between[0]);
    expectation.most = ValueReader(problems).number(between[1]);
    if (expectation.least > expectation.most && problems.count() == before)
        problems.add(between, "the first number is greater than the second");
}

// A tour stop after the end of the run is accepted, because `--until` may shorten the run.
void read_tour_stop_place(ScenarioBuilder& draft, const JsonValue& value, TourStop& stop) {
    const std::size_t before = draft.problems.count();
    const std::string text = draft.values.string(value, 64);
    std::string why;
    if (const std::optional<SeekTarget> place = parse_seek_target(text, why))
        stop.at = *place;
    else if (draft.problems.count() == before)
        draft.problems.add(value, why);
}

void read_tour_stop(ScenarioBuilder& draft, const JsonValue& value) {
    using Depth = TourStop::Depth;
    ValueReader& values = draft.values;
    TourStop stop;
    const JsonValue* step = nullptr;
    const auto read_one_of = [&](const JsonValue& v, std::span<const char* const> names) {
        std::vector<std::pair<std::string, std::string>> choices;
        for (const char* name : names) choices.emplace_back(name, name);
        return values.choice(v, choices);
    };
    const auto read_depth = [&](const JsonValue& v) {
        stop.depth = values.choice<Depth>(
            v, {{"time", Depth::time}, {"switch", Depth::context_switch}, {"inside", Depth::inside}});
    };
    const ValueReader::ObjectReadResult read = values.object(
        value, {{"at", [&](const JsonValue& v) { read_tour_stop_place(draft, v, stop); },
                 "\"at\" is missing: the position in the run, like \"12.5ms\" or \"switch 37\""},
                {"title", [&](const JsonValue& v) { stop.title = values.single_line(v, 80); }},
                {"caption", [&](const JsonValue& v) { stop.caption = values.string(v, kLongestCaption); },
                 "\"caption\" is missing: the text of this stop"},
                {"notes", [&](const JsonValue& v) { stop.notes = values.string(v, kLongestCaption); }},
                {"policy", [&](const JsonValue& v) { stop.policy = draft.policy(v); }},
                {"compare", [&](const JsonValue& v) { stop.compare = draft.policy(v); }},
                {"pane", [&](const JsonValue& v) { stop.pane = read_one_of(v, kTourPanes); }},
                {"subject", [&](const JsonValue& v) { stop.subject = read_one_of(v, kTourSubjects); }},
                {"depth", read_depth},
                {"decision_step", step},
                {"time_range", [&](const JsonValue& v) { stop.span = values.time(v, 1ns); }}});
    if (step != nullptr) {
        stop.decision_step = values.count(*step, 1, kMostSteps);
        if (stop.depth != Depth::inside)
            draft.problems.add(*step, "decision_step needs \"depth\": \"inside\"");
    }
    if (read) draft.scenario.tour.push_back(std::move(stop));
}

}  // namespace

std::optional<Assertion> read_assertion(Problems& problems, const JsonValue& assertion,
                                        const std::function<std::string(const JsonValue&)>& policy) {
    Assertion e;
    const JsonValue *between = nullptr, *equals = nullptr;
    const auto read_figure = [&](const JsonValue& v) { e.pointer = read_pointer(problems, v); };
    const auto read_per = [&](const JsonValue& v) { e.per = read_pointer(problems, v); };
    const auto read_policy = [&](const JsonValue& v) { e.policy = policy(v); };
    std::vector<Field> fields{
        {"pointer", read_figure, "\"pointer\" is missing: the value to check, like \"/yields/calls\""},
        {"per", read_per},
        {"between", between},
        {"equals", equals}};
    if (policy) fields.emplace_back("policy", read_policy);
    if (!ValueReader(problems).object(assertion, fields)) return std::nullopt;
    if (between != nullptr && equals != nullptr)
        problems.add(assertion, "specify \"between\" or \"equals\", not both");
    else if (equals != nullptr)
        e.least = e.most = ValueReader(problems).number(*equals);
    else if (between != nullptr)
        read_range(problems, *between, e);
    else
        problems.add(assertion, "\"between\": [least, most] or \"equals\": value is missing");
    return e;
}

void read_expectations(ScenarioBuilder& draft, const JsonValue& list) {
    if (!list.is_array())
        return draft.problems.add(list, "expected a list of assertions ([...]), got " + kind_of(list));
    if (list.size() > kMaxAssertions)
        return draft.problems.add(list,
                                  fmt::format("{} assertions; the limit is {}", list.size(), kMaxAssertions));
    const auto policy = [&](const JsonValue& value) { return draft.policy(value); };
    for (const JsonValue* assertion : list.children())
        if (auto e = read_assertion(draft.problems, *assertion, policy))
            draft.scenario.assertions.push_back(std::move(*e));
}

void read_tour(ScenarioBuilder& draft, const JsonValue& list) {
    if (!list.is_array())
        return draft.problems.add(list, "expected a list of stops ([...]), got " + text_in_message(list));
    if (list.size() > kMaxStops)
        return draft.problems.add(list, fmt::format("{} stops; the limit is {}", list.size(), kMaxStops));
    for (const JsonValue* stop : list.children()) read_tour_stop(draft, *stop);
}

}  // namespace sim
