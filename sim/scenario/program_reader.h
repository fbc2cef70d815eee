// The interface through which the parser of an action converts a program step from JSON to Steps (action.h).
//
// After a problem, reading continues, so that all problems are found. A number that could not be read is
// replaced by a harmless default.
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
struct ScenarioBuilder;

class ProgramReader {
  public:
    // Reads the program of the task group with index `group`.
    ProgramReader(ScenarioBuilder& draft, std::uint32_t group) : draft_(draft), group_(group) {}

    // Appends a list of program steps to the scenario. Returns whether executing them takes time.
    bool read_steps(const JsonValue& steps);
    // Reads a program written as words (program_words.cpp).
    void read_words(const JsonValue& text);
    // Reads a program of one burst: the step {"run": ...} with this duration.
    void read_burst(const JsonValue& duration);
    // Checks the end of the program: a lock that it still holds is reported as a problem of the value `at`.
    void check_locks_at_end(const JsonValue& at);

    // The computing time of the program steps read so far.
    const JobLength& length() const { return length_; }

    // --- for the program step being parsed ---

    // The value of the action's key. For a step written as a single word, this is the word.
    const JsonValue& argument() const { return *current_.argument; }

    // Appends a step and links it to the step that is emitted next. The new step has the action named
    // `action` or, if `action` is empty, the action of the program step being parsed. Returns the index of
    // the new step.
    StepId emit(Step step, std::string_view action = {});
    // A step already emitted. The reference is valid until the next emit().
    Step& at(StepId id);

    // Reads a duration: "2ms", {"exponential": "2ms"} or {"uniform": ["1ms", "4ms"]}. Returns its index in
    // Scenario::durations.
    std::uint32_t duration(const JsonValue& value);
    // Reads the arguments of `timer`: the task's period, and the handling of late releases.
    void read_period(const JsonValue& value);
    // The channel with that name, created at its first use.
    ChannelId channel(const JsonValue& value);
    // The index of the task group with that name. `makes_tasks` is true if the step can create further tasks
    // of this group.
    std::uint32_t group(const JsonValue& value, bool makes_tasks = true);
    // A task that parks waits on the parking channel of its task group. own_parking_channel() returns the
    // channel of the program's own group, parking_channel() that of the group `value`. A group whose
    // "count" is not 1 is a problem.
    ChannelId own_parking_channel();
    ChannelId parking_channel(const JsonValue& value);
    // The lock with that name. taken_lock() adds it to the locks held by the program, released_lock() removes
    // it.
    ChannelId taken_lock(const JsonValue& value);
    ChannelId released_lock(const JsonValue& value);
    // The readers' channel of the pipe with that name. The writers' channel has the next index.
    ChannelId pipe(const JsonValue& value);
    // The value of "bytes", or 1 if it is absent. For a write, a value above the capacity of the pipe is a
    // problem.
    std::uint32_t bytes();
    std::uint32_t bytes_to_write(ChannelId pipe);
    // The device with that name; the scenario must describe it.
    ChannelId device(const JsonValue& value);
    // The value of this key of the step, such as "bytes"; null if the key is absent.
    const JsonValue* value_of(std::string_view key) const;
    // note_wait() records that the step waits on a channel. note_wake_up() records that the step wakes a
    // channel. An endless loop in which no time passes is a problem. Time passes at a wait, unless the loop
    // itself wakes the same channel.
    void note_wait(ChannelId channel) { waited_.push_back(channel); }
    void note_wake_up(ChannelId channel) { woken_.push_back(channel); }
    // A number of repetitions, or kForever.
    std::uint32_t loop_count(const JsonValue& value);

    // Starts a loop and returns its depth; leave_loop() ends it.
    std::uint8_t enter_loop();
    void leave_loop() { --depth_; }
    // Reads the body of a loop from the value of `key`. The body is repeated `count` times. A body that is
    // repeated forever without taking time is a problem.
    void read_loop_body(const std::string& key, std::uint32_t count);

    // Called by actions that end the task. A lock that the program still holds is a problem.
    void note_end_of_task() {
        check_locks_at_end(*current_.whole);
        length_.append_end_of_task();
    }

    // Like note_end_of_task(), but another program of unknown length follows.
    void note_exec() {
        length_.append_unknown();
        note_end_of_task();
    }

    // Reports that this action cannot be used in scenario files.
    void refuse_action();

  private:
    void read_step(const JsonValue& value);
    // The action of a step that consists of a single word, such as "yield". If the word is not an action or
    // is used incorrectly, reports a problem and returns null.
    const ActionInfo* action_of_word(const JsonValue& value);
    const ActionInfo* action_of_object(const JsonValue& value, const JsonValue*& argument);
    template <class Message>
    void refuse_step(const JsonValue& at, Message message, bool at_key = false);

    ChannelId channel_of_kind(ChannelSpec::Kind kind, const JsonValue& value);

    // A lock held by the program, and the step that takes it.
    struct HeldLock {
        ChannelId lock;
        const JsonValue* at;

        bool operator==(const HeldLock& other) const { return lock == other.lock; }
        bool operator==(ChannelId other) const { return lock == other; }
    };
    const std::string& name_of(const HeldLock& held) const;
    // Checks the locks after a loop has been read. `before`: the locks held on entry to the loop. Every
    // iteration must start with the same locks held. If an endless loop never releases a lock that was held
    // on entry, this is a problem.
    void check_locks_of_loop(const std::vector<HeldLock>& before, bool forever);

    // Whether the current loop body waits on a channel that the body itself does not wake. `waits` and
    // `wakes` are the numbers of waits and wake-ups before the body.
    bool has_wait_for_other_tasks(std::size_t waits, std::size_t wakes) const;

    // The program step being parsed.
    struct CurrentStep {
        const JsonValue* whole = nullptr;
        const JsonValue* argument = nullptr;
        const ActionInfo* action = nullptr;
        bool zero_duration = false;  // the duration is always 0
        bool never_runs = false;     // the step is a loop with count 0
    };

    ScenarioBuilder& draft_;
    std::uint32_t group_;
    std::vector<HeldLock> held_;  // held locks, in the order in which they were taken
    CurrentStep current_;
    std::uint32_t depth_ = 0;  // nesting depth of the step
    // Channels that the steps read so far wait on, and channels that they wake.
    std::vector<ChannelId> waited_, woken_;
    bool takes_time_ = false;  // a step read so far in this program or loop body takes time
    bool never_ends_ = false;  // the steps read so far contain an endless loop
    JobLength length_;         // CPU time of the steps read so far in this program or loop body
    bool has_timer_ = false;   // a `timer` step has been read; it defines the period of the task group
};

}  // namespace sim
