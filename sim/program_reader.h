// What an action's parser uses to turn its step from JSON into Steps (action.h). Implemented in
// scenario_json.cpp.
//
// A problem is noted with its place and reading goes on, so that one look at a file finds all of them; the
// numbers answered after a problem are harmless stand-ins.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sim/scenario.h"

namespace sim {

class ScenarioReader;

class ProgramReader {
  public:
    explicit ProgramReader(ScenarioReader& scenario) : scenario_(scenario) {}

    // Reads a list of steps and appends them to the scenario. Answers whether time passes in them, once
    // begun.
    bool program(const nlohmann::json& steps, const std::string& pointer);

    // --- for the step being parsed ---

    // What stands beside the action's name. Null for a step that is written as a bare word.
    const nlohmann::json& argument() const { return *current_.argument; }

    // Appends a step of this action (or of another one, by name), which the next one emitted will follow;
    // answers its place in the program.
    StepId emit(Step step, std::string_view action = {});
    // A step appended before. The reference is good until the next emit().
    Step& at(StepId id);

    // An index into Scenario::durations for "2ms", {"exponential": "2ms"} or {"uniform": ["1ms", "4ms"]}.
    std::uint32_t duration(const nlohmann::json& value);
    // The number of the channel of that name, which exists from its first mention.
    ChannelId channel(const nlohmann::json& value);
    // The task entry of that name.
    std::uint32_t group(const nlohmann::json& value);
    // A whole number of repetitions, or kForever.
    std::uint32_t loop_count(const nlohmann::json& value);

    // The depth of the loop that begins here; leave_loop() ends it.
    std::uint8_t enter_loop();
    void leave_loop() { --depth_; }
    // Reads the steps that stand beside the action's name under `key`, which are repeated so many times. A
    // body that is repeated for ever and takes no time is a problem.
    void nested_program(const std::string& key, std::uint32_t count);

    // The word is not for scenario files.
    void refuse();

  private:
    void step(const nlohmann::json& value, const std::string& pointer);

    // The step being parsed.
    struct Current {
        const nlohmann::json* whole = nullptr;  // as it is written
        const nlohmann::json* argument = nullptr;
        std::string pointer, argument_pointer;
        std::string action;
        bool zero_duration = false;  // its duration is always 0
        bool never_runs = false;     // a loop of no rounds
    };

    ScenarioReader& scenario_;
    Current current_;
    std::uint32_t depth_ = 0;  // of the loops around the step
    bool takes_time_ = false;  // the steps read so far in this body
};

}  // namespace sim
