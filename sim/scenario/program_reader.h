// What an action's parser uses to turn its step from JSON into Steps (action.h). Implemented in
// scenario_json.cpp.
//
// A problem is noted with its place and reading goes on, so that one look at a file finds all of them; the
// numbers answered after a problem are harmless stand-ins.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/scenario.h"

namespace sim {

class ScenarioReader;

class ProgramReader {
  public:
    // For the program of the entry with that number.
    ProgramReader(ScenarioReader& scenario, std::uint32_t group) : scenario_(scenario), group_(group) {}

    // Reads a list of steps and appends them to the scenario. Answers whether time passes in them, once
    // begun.
    bool program(const nlohmann::json& steps, const std::string& pointer);
    // The program is over: whatever it still holds is a problem.
    void end(const std::string& pointer);

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
    // `makes_tasks`: more of them may come to be.
    std::uint32_t group(const nlohmann::json& value, bool makes_tasks = true);
    // The place where the task of this entry parks, which must be its only one; and where that of another
    // entry does.
    ChannelId own_parking();
    ChannelId parking(const nlohmann::json& value);
    // The lock of that name, which the program holds from here on; and not any more.
    ChannelId take_lock(const nlohmann::json& value);
    ChannelId release_lock(const nlohmann::json& value);
    // The readers' channel of the pipe of that name; the writers' is the next one.
    ChannelId pipe(const nlohmann::json& value);
    // What stands beside it under "bytes", or 1; for a write, no more than the pipe's capacity.
    std::uint32_t bytes();
    std::uint32_t bytes_to_write(ChannelId pipe);
    // The device of that name, which the scenario describes.
    ChannelId device(const nlohmann::json& value);
    // A whole number of repetitions, or kForever.
    std::uint32_t loop_count(const nlohmann::json& value);

    // The depth of the loop that begins here; leave_loop() ends it.
    std::uint8_t enter_loop();
    void leave_loop() { --depth_; }
    // Reads the steps that stand beside the action's name under `key`, which are repeated so many times. A
    // body that is repeated for ever and takes no time is a problem.
    void nested_program(const std::string& key, std::uint32_t count);

    // The task ends here: whatever it still holds is a problem.
    void ends_task() { end(current_.pointer); }

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
    std::uint32_t group_;
    std::vector<ChannelId> held_;  // locks, in the order in which they are taken
    Current current_;
    std::uint32_t depth_ = 0;  // of the loops around the step
    bool takes_time_ = false;  // the steps read so far in this body
};

}  // namespace sim
