// Base of the readers of recorded decisions. A file has one case per line.
//
// A reader creates the tasks, lets a Driver repeat the events, and compares each outcome with the line. Each
// kernel family has its own fields: goodness_case.cpp (2.0 to 2.4), o1_case.cpp (2.6.20) and fair_case.cpp
// (2.6.24, 2.6.32, 6.6).
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
#include "sim/check/driver.h"
#include "sim/check/recorded_results.h"

namespace sim {

class RecordedCase : protected CaseReader {
  public:
    // REQUIRES: `text` and `result` outlive this.
    RecordedCase(const JsonTree& text, int line, VerifyResult& result)
        : CaseReader(text), line_(line), result_(result) {}
    virtual ~RecordedCase() = default;

    // Reads and replays the line and counts differences. Throws ScenarioError if it is not a recorded case.
    void replay(const std::string& policy_override, std::set<std::string>& specs, const PolicyMaker& make);

  protected:
    // --- overridden by each kernel family ---

    virtual std::vector<std::string> keys() const = 0;       // keys of the line
    virtual std::vector<std::string> task_keys() const = 0;  // keys of a task
    virtual std::uint32_t hz() const = 0;
    virtual std::size_t most_tasks() const { return 10'000; }
    // Options of the recorded kernel's policy that the line states, such as "yield=original".
    virtual std::vector<std::string> recorded_options(const Json& root) const = 0;
    virtual void begin(const Json&) {}
    // Description of the compared values. `whole`: the policy has the recorded kernel's search and queue
    // order.
    virtual const char* compared(bool whole) const = 0;
    virtual void read_task(const Json& task, const std::string& pointer, DriverTask& into) = 0;
    virtual void start(const Json& outcome) = 0;
    virtual void event(const Json& e, const std::string& pointer) = 0;
    // The index of the event's name in the array of an event. The next element is the event's argument.
    virtual std::size_t name_at() const = 0;

    // --- reading ---

    // Reads a nice value from -20 to 19. Returns the priority, 20 - nice.
    std::int32_t priority_of_nice(const Json& value, const std::string& pointer) const;
    SchedClass class_of(const Json& value, const std::string& pointer,
                        const std::vector<SchedClass>& allowed) const;
    TaskId task_named(const Json& value, const std::string& pointer) const;
    // Reads the name of a new child.
    std::string new_name(const Json& value, const std::string& pointer) const;
    [[noreturn]] void unknown_event(const std::string& name, const std::string& pointer,
                                    const std::vector<std::string>& known) const;
    // Runs an event that several kernel families have: yield, block, exit, wake or set_nice. Appends the
    // affected task to `what`. Returns true if schedule() was called; nullopt for other events.
    std::optional<bool> common_event(const std::string& name, const Json& argument, const std::string& at,
                                     std::string& what);
    // Updates `values` from "name:number:... name:...", a list of the values that changed since the last
    // outcome. `at`: JSON pointer of the list; `expected`: the message if the list has another form.
    using Values = std::map<std::string, std::string>;
    void update_from_list(Values& values, const Json& list, const std::string& at,
                          const char* expected) const;
    static std::string text_of(const Values& values);
    // Throws if no task is running. Called for events that need a running task.
    void require_running_task(const std::string& event, const std::string& pointer) const;

    // --- comparing ---

    Driver& driver() { return *driver_; }
    const Driver& driver() const { return *driver_; }
    const NamedPolicy& policy() const { return named_; }
    // True if the policy has the recorded kernel's search and queue order. Otherwise only the chosen task and
    // the values common to all policies can be compared.
    bool is_full_comparison() const { return whole_; }
    bool has_diverged() const { return diverged_; }
    void count_decision() { ++result_.decisions; }
    // Counts replayed ticks. Returns true if there are more than 20 million in the file. The limit is
    // needed because a short line may contain many ticks.
    bool are_too_many(std::uint64_t ticks) { return (result_.ticks += ticks) > 20'000'000; }
    // Counts a difference and ends the case, because the later outcomes depend on the outcome that differs.
    // `before`: the queue before the event. `recorded`, `ours`: multi-line texts.
    void count_difference(const std::string& what, const std::string& pointer, const std::string& before,
                          const std::string& recorded, const std::string& ours, bool rescheduled);

  private:
    NamedPolicy policy_for(std::string spec, const std::string& recorded,
                           const std::vector<std::string>& options, const PolicyMaker& make) const;
    void add_task(const Json& task, const std::string& pointer);

    int line_;  // line in the file
    VerifyResult& result_;
    NamedPolicy named_;
    std::optional<Driver> driver_;
    bool whole_ = true;
    bool diverged_ = false;
};

std::unique_ptr<RecordedCase> goodness_case(const JsonTree& text, int line, VerifyResult& result);
std::unique_ptr<RecordedCase> o1_case(const JsonTree& text, int line, VerifyResult& result);
std::unique_ptr<RecordedCase> fair_case(const JsonTree& text, int line, VerifyResult& result);

// Splits a list at spaces.
std::vector<std::string> words_of(const std::string& list);

}  // namespace sim
