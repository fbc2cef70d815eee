// One line of recorded decisions: what the readers of all kernels' lines share.
//
// A reader makes the tasks, lets a Driver do what happened, and holds the outcome against the line. Kernels
// differ in what a line says of them: goodness_case.cpp (1.2 to 2.4), o1_case.cpp (2.6.20) and fair_case.cpp
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
#include "sim/check/vectors.h"

namespace sim {

class RecordedCase : protected CaseReader {
  public:
    // REQUIRES: `text` and `result` outlive this.
    RecordedCase(const JsonTree& text, int line, VerifyResult& result)
        : CaseReader(text), line_(line), result_(result) {}
    virtual ~RecordedCase() = default;

    // Reads the line, replays it, and counts what differs. Throws ScenarioError for what is no recorded
    // decision.
    void replay(const std::string& policy_override, std::set<std::string>& specs, const PolicyMaker& make);

  protected:
    // --- what a family says of itself ---

    virtual std::vector<std::string> keys() const = 0;       // of the line
    virtual std::vector<std::string> task_keys() const = 0;  // of a task
    virtual std::uint32_t hz() const = 0;
    virtual std::size_t most_tasks() const { return 10'000; }
    // What the line says of the recorded variant, as options: "yield=original".
    virtual std::vector<std::string> recorded_options(const Json& root) const = 0;
    virtual void begin(const Json&) {}
    // What is held against the line, if the policy does it as the recorded kernel does, or if it does not.
    virtual const char* compared(bool whole) const = 0;
    virtual void read_task(const Json& task, const std::string& pointer, DriverTask& into) = 0;
    virtual void start(const Json& outcome) = 0;
    virtual void event(const Json& e, const std::string& pointer) = 0;
    // Where an event has its name, and where its argument.
    virtual std::size_t name_at() const = 0;

    // --- reading ---

    // 20 - nice, of a nice value from -20 to 19.
    std::int32_t priority_of_nice(const Json& value, const std::string& pointer) const;
    SchedClass class_of(const Json& value, const std::string& pointer,
                        const std::vector<SchedClass>& allowed) const;
    TaskId task_named(const Json& value, const std::string& pointer) const;
    // The name of a child that is about to be made.
    std::string new_name(const Json& value, const std::string& pointer) const;
    [[noreturn]] void unknown_event(const std::string& name, const std::string& pointer,
                                    const std::vector<std::string>& known) const;
    // What all families know: yield, block, exit, wake, and with an outcome set_nice. Does it, adds the task
    // to `what`, and returns whether schedule() was called; nothing if the event is another one.
    std::optional<bool> common_event(const std::string& name, const Json& argument, const std::string& at,
                                     std::string& what);
    // "name:number:... name:...", of those that differ from the row before.
    using Values = std::map<std::string, std::string>;
    void change(Values& values, const Json& list, const std::string& pointer, const char* form) const;
    static std::string text_of(const Values& values);
    // Refuses what only a running task can do while there is none.
    void need_runner(const std::string& event, const std::string& pointer) const;

    // --- comparing ---

    Driver& driver() { return *driver_; }
    const Driver& driver() const { return *driver_; }
    const NamedPolicy& policy() const { return named_; }
    // Whether the policy claims to do it as the recorded kernel does, step by step. Otherwise only who was
    // chosen can be compared, and what is the same for all.
    bool is_whole() const { return whole_; }
    bool has_diverged() const { return diverged_; }
    void count_decision() { ++result_.decisions; }
    // Ticks are cheap to write and not to replay: a file may have so many. Returns whether it has more.
    bool are_too_many(std::uint64_t ticks) { return (result_.ticks += ticks) > 20'000'000; }
    // An outcome differs: the rest of the line belongs to another history. `recorded` and `ours` are
    // texts of several lines; `before` is how things stood.
    void differs(const std::string& what, const std::string& pointer, const std::string& before,
                 const std::string& recorded, const std::string& ours, bool rescheduled);

  private:
    NamedPolicy policy_for(std::string spec, const std::string& recorded,
                           const std::vector<std::string>& options, const PolicyMaker& make) const;
    void add_task(const Json& task, const std::string& pointer);

    int line_;  // of the file
    VerifyResult& result_;
    NamedPolicy named_;
    std::optional<Driver> driver_;
    bool whole_ = true;
    bool diverged_ = false;
};

std::unique_ptr<RecordedCase> goodness_case(const JsonTree& text, int line, VerifyResult& result);
std::unique_ptr<RecordedCase> o1_case(const JsonTree& text, int line, VerifyResult& result);
std::unique_ptr<RecordedCase> fair_case(const JsonTree& text, int line, VerifyResult& result);

// The tasks of a list, whose names and numbers have blanks between them.
std::vector<std::string> words_of(const std::string& list);

}  // namespace sim
