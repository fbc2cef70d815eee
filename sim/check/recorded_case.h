// Base class of the readers of recorded decisions. A file has one case per line.
//
// A reader creates the tasks, repeats the events with a PolicyDriver, and compares each outcome with the
// recorded outcome. Each kernel family has its own fields: goodness_case.cpp (2.0 to 2.4), o1_case.cpp
// (2.6.20) and fair_case.cpp (2.6.24, 2.6.32, 6.6).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/check/case_reader.h"
#include "sim/check/policy_driver.h"
#include "sim/check/recorded_results.h"

namespace sim {

class RecordedCase : protected CaseReader {
  public:
    // REQUIRES: `text` and `result` outlive this object.
    RecordedCase(const JsonTree& text, int line, VerifyResult& result)
        : CaseReader(text), line_(line), result_(result) {}
    virtual ~RecordedCase() = default;

    // Reads and replays the line and counts differences. Throws ScenarioError if the line is not a recorded
    // case.
    void replay(const std::string& policy_override, std::set<std::string>& specs, const PolicyMaker& make);

  protected:
    // --- overridden by each kernel family ---

    virtual std::vector<std::string> keys() const = 0;       // keys of the line
    virtual std::vector<std::string> task_keys() const = 0;  // keys of a task
    virtual std::uint32_t hz() const = 0;
    virtual std::size_t most_tasks() const { return 10'000; }
    // Options of the recorded kernel's policy that the line states, such as "yield=original".
    virtual std::vector<std::string> recorded_options(const Json& root) const = 0;
    virtual void begin_case(const Json&) {}
    // Description of the compared values. `full_comparison`: the policy searches for the next task and orders
    // the run queue as the recorded kernel does.
    virtual const char* compared_values_text(bool full_comparison) const = 0;
    virtual void read_task(const Json& task, const std::string& pointer, DriverTask& driver_task) = 0;
    virtual void check_start(const Json& outcome) = 0;
    virtual void replay_event(const Json& e, const std::string& pointer) = 0;
    // The index of the event's name in the array of an event. The next element is the event's argument.
    virtual std::size_t event_name_index() const = 0;

    // --- reading ---

    // Reads a nice value from -20 to 19. Returns the priority, 20 - nice.
    std::int32_t read_nice_as_priority(const Json& value, const std::string& pointer) const;
    SchedClass read_sched_class(const Json& value, const std::string& pointer,
                                const std::vector<SchedClass>& allowed) const;
    TaskId find_named_task(const Json& value, const std::string& pointer) const;
    // Reads the name of a new child.
    std::string read_new_task_name(const Json& value, const std::string& pointer) const;
    [[noreturn]] void fail_unknown_event(const std::string& name, const std::string& pointer,
                                         const std::vector<std::string>& known) const;
    // Runs an event that several kernel families have: yield, block, exit, wake or set_nice. Appends the
    // affected task to `event_text`. Returns true if schedule() was called; nullopt for other events.
    std::optional<bool> replay_common_event(const std::string& name, const Json& argument,
                                            const std::string& at, std::string& event_text);
    using Values = std::map<std::string, std::string>;  // by name of the task
    // Updates `values` from "name:number:... name:...", a list of the values that changed since the last
    // outcome. `at`: JSON pointer of the list. `expected`: error message for a list of another form.
    void apply_listed_changes(Values& values, const Json& list, const std::string& at,
                              const char* expected) const;
    static std::string values_text(const Values& values);
    // Throws if no task is running. Called for events that need a running task.
    void require_running_task(const std::string& event, const std::string& pointer) const;

    // --- comparing ---

    PolicyDriver& driver() { return *driver_; }
    const PolicyDriver& driver() const { return *driver_; }
    const NamedPolicy& policy() const { return named_; }
    // True if the policy searches for the next task and orders the run queue as the recorded kernel does.
    // Otherwise only the chosen task and the values common to all policies can be compared.
    bool is_full_comparison() const { return whole_; }
    bool has_diverged() const { return diverged_; }
    void count_decision() { ++result_.decisions; }
    // Counts replayed ticks. Returns true if there are more than 20 million in the file. The limit is
    // needed because a short line may contain many ticks.
    bool count_ticks_and_check_limit(std::uint64_t ticks) { return (result_.ticks += ticks) > 20'000'000; }
    // Counts a difference and ends the case, because the later outcomes depend on the outcome that differs.
    // `queue_before`: the queue before the event. `recorded`, `replayed`: multi-line texts.
    void count_difference(const std::string& event_text, const std::string& pointer,
                          const std::string& queue_before, const std::string& recorded,
                          const std::string& replayed, bool rescheduled);

  private:
    NamedPolicy make_policy_for(std::string spec, const std::string& recorded,
                                const std::vector<std::string>& options, const PolicyMaker& make) const;
    void add_task(const Json& task, const std::string& pointer);

    int line_;  // line number in the file
    VerifyResult& result_;
    NamedPolicy named_;
    std::optional<PolicyDriver> driver_;
    bool whole_ = true;
    bool diverged_ = false;
};

std::unique_ptr<RecordedCase> make_goodness_case(const JsonTree& text, int line, VerifyResult& result);
std::unique_ptr<RecordedCase> make_o1_case(const JsonTree& text, int line, VerifyResult& result);
std::unique_ptr<RecordedCase> make_fair_case(const JsonTree& text, int line, VerifyResult& result);

// Splits a list at spaces.
std::vector<std::string> split_words(const std::string& list);

}  // namespace sim
