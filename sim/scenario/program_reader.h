// What an action's parser uses to turn its step from JSON into Steps (action.h).
//
// A problem is noted with its place and reading goes on, so that one look at a file finds all of them; the
// numbers returned after a problem are harmless stand-ins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/scenario.h"
#include "sim/scenario/job_length.h"

namespace sim {

class JsonValue;
struct ActionInfo;
struct Draft;

class ProgramReader {
  public:
    // For the program of the entry with that number.
    ProgramReader(Draft& draft, std::uint32_t group) : draft_(draft), group_(group) {}

    // Reads a list of steps and appends them to the scenario. Returns whether time passes in them, once
    // begun.
    bool program(const JsonValue& steps);
    // Reads a program that is written as words (program_words.cpp).
    void words(const JsonValue& text);
    // The program is over: whatever it still holds is a problem of the value `at`.
    void end(const JsonValue& at);

    // How much the steps read so far compute.
    const JobLength& length() const { return length_; }

    // --- for the step being parsed ---

    // What stands beside the action's name; a step that is written as a bare word, itself.
    const JsonValue& argument() const { return *current_.argument; }

    // Appends a step of this action (or of another one, by name), which the next one emitted will follow;
    // returns its place in the program.
    StepId emit(Step step, std::string_view action = {});
    // A step appended before. The reference is good until the next emit().
    Step& at(StepId id);

    // An index into Scenario::durations for "2ms", {"exponential": "2ms"} or {"uniform": ["1ms", "4ms"]}.
    std::uint32_t duration(const JsonValue& value);
    // The task's period, and what becomes of a release that has passed: the arguments of its `timer`.
    void period(const JsonValue& value);
    // The number of the channel of that name, which exists from its first mention.
    ChannelId channel(const JsonValue& value);
    // The task entry of that name.
    // `makes_tasks`: more of them may come to be.
    std::uint32_t group(const JsonValue& value, bool makes_tasks = true);
    // The place where the task of this entry parks, which must be its only one; and where that of another
    // entry does.
    ChannelId own_parking();
    ChannelId parking(const JsonValue& value);
    // The lock of that name, which the program holds from here on; and not any more.
    ChannelId take_lock(const JsonValue& value);
    ChannelId release_lock(const JsonValue& value);
    // The readers' channel of the pipe of that name; the writers' is the next one.
    ChannelId pipe(const JsonValue& value);
    // What stands beside it under "bytes", or 1; for a write, no more than the pipe's capacity.
    std::uint32_t bytes();
    std::uint32_t bytes_to_write(ChannelId pipe);
    // The device of that name, which the scenario describes.
    ChannelId device(const JsonValue& value);
    // A whole number of repetitions, or kForever.
    std::uint32_t loop_count(const JsonValue& value);

    // The depth of the loop that begins here; leave_loop() ends it.
    std::uint8_t enter_loop();
    void leave_loop() { --depth_; }
    // Reads the steps that stand beside the action's name under `key`, which are repeated so many times. A
    // body that is repeated for ever and takes no time is a problem.
    void nested_program(const std::string& key, std::uint32_t count);

    // The task ends here: whatever it still holds is a problem.
    void ends_task() {
        end(*current_.whole);
        length_.end();
    }

    // The same, but for a program that follows.
    void goes_on_elsewhere() {
        length_.is_unknown();
        ends_task();
    }

    // The word is not for scenario files.
    void refuse();

  private:
    void step(const JsonValue& value);
    // The action that a step asks for; null, and a problem, when it asks for none or not in the right way.
    const ActionInfo* action_of_word(const JsonValue& value);
    const ActionInfo* action_of_object(const JsonValue& value, const JsonValue*& argument);
    template <class Message>
    void refuse_step(const JsonValue& at, Message message, bool at_key = false);

    ChannelId named(ChannelSpec::Kind kind, const JsonValue& value);

    // A lock that the program holds, and where it is taken.
    struct Held {
        ChannelId lock;
        const JsonValue* at;

        bool operator==(const Held& other) const { return lock == other.lock; }
        bool operator==(ChannelId other) const { return lock == other; }
    };
    const std::string& name_of(const Held& held) const;
    // The loop being parsed has been read, and `before` was held in front of it: each round of it must find
    // the locks as the first one did, and one that never ends may not keep what it found.
    void check_locks_of_rounds(const std::vector<Held>& before, bool forever);

    // The step being parsed.
    struct Current {
        const JsonValue* whole = nullptr;  // as it is written
        const JsonValue* argument = nullptr;
        const ActionInfo* action = nullptr;
        bool zero_duration = false;  // its duration is always 0
        bool never_runs = false;     // a loop of no rounds
    };

    Draft& draft_;
    std::uint32_t group_;
    std::vector<Held> held_;  // in the order in which they are taken
    Current current_;
    std::uint32_t depth_ = 0;  // of the loops around the step
    bool takes_time_ = false;  // the steps read so far in this body
    bool never_ends_ = false;  // there was an endless loop
    JobLength length_;         // of the steps read so far in this body
    bool has_timer_ = false;   // the entry's period is known
};

}  // namespace sim
