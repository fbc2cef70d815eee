// What all parts of the control room work on: the scenario that is open, its runs, what is shown of them, and
// the little that is asked of the window around it. No window, no ImGui: a test makes one and looks at it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/text.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/scenario/scenario_json.h"
#include "ui/control/scripts.h"
#include "ui/view/beside_recorded.h"
#include "ui/view/model.h"
#include "ui/view/recorded.h"
#include "ui/view/view_state.h"

namespace ui {

// How long an action may simulate before it goes on without what is missing.
inline constexpr std::chrono::milliseconds kMoment{25};  // does not disturb a drag
inline constexpr std::chrono::milliseconds kWait{30};    // after a key or a click: no frame takes 50 ms

// What the control room asks of the window. Without one, commands have their ids for keys, and nothing is
// copied.
struct Surroundings {
    // The key of a command as a person finds it.
    std::function<std::string(std::string_view)> key_of = [](std::string_view id) { return std::string(id); };
    std::function<void(const std::string&)> set_clipboard = [](const std::string&) {};
};

// Everything that is wrong, a line each.
std::string words_of(const std::exception& problem);

class Desk {
  public:
    explicit Desk(Surroundings surroundings = {}) : around(std::move(surroundings)) {}

    Model model;  // for the panes; its runs are those below
    ViewState view;
    const Surroundings around;
    bool patient = false;                         // no limit on what an action may simulate, for pictures
    Scripts scripts;                              // of which runs are made, whatever scenario is open
    sim::exchange::ImportOptions import_options;  // how recordings become scenarios

    bool is_open() const { return a_ != nullptr; }
    // All of these REQUIRE is_open().
    Run& a() const { return *a_; }
    const sim::Scenario& scenario() const { return *scenario_; }
    const std::string& source() const { return source_; }    // what was opened: a file or a built-in scenario
    const sim::ScenarioText& text() const { return text_; }  // of which it is made, with the model's sets
    // It came in a link, or is made of a recording: there is no file of it. source() is its name, or the
    // recording.
    bool is_carried() const { return !text_.name.empty(); }
    bool is_made_of_a_recording() const { return is_recording_; }
    // "came in a link". REQUIRES: is_carried().
    const char* where_it_is_from() const;
    // The run compared with; null when there is none.
    Run* b() const { return b_.get(); }
    // A beside the recording that the scenario was made of; null when it was made of none.
    BesideRecorded* beside() const { return beside_.get(); }

    // Puts another scenario there, or that which is made of a recording, with nothing left of the one before;
    // `policy` empty for its own. Throws what is wrong with it, and then what was open stays. So do the next
    // two.
    void open(const std::string& path_or_name, const std::string& policy);
    // The same for a text that came in a link, and has no file.
    void open(sim::ScenarioText text, const std::string& policy);
    // The scenario with these values (POINTER=VALUE), A under this policy and B under its own. A B to which
    // something was done goes: that was done to the scenario as it was. Returns whether that happened.
    bool use(std::vector<std::string> sets, const std::string& policy);
    // This text in place of what was opened, of which it has all changes: both runs are made again from it,
    // with what was done to B. `write` makes the file, once there is nothing else left that may fail.
    // REQUIRES: A's policy is the text's own.
    void take_over(sim::ScenarioText text, const std::function<void()>& write);
    // A from the beginning, under this policy.
    void run_a(const std::string& policy);
    // The script `name` has this text from now on, and perhaps, in the runs of A (and of B, if `both`),
    // another name: those of them that are made of it are made anew. A B to which something was done goes
    // where its past would be another one. Nothing changes when that throws what is wrong. Returns what was
    // made anew.
    struct Renewed {
        bool a = false, b = false, ends_comparison = false;
    };
    Renewed put_script(const std::string& name, const std::string& new_name, const std::string& text,
                       bool both);
    // Whether a run is made of this script.
    bool uses_script(const std::string& name) const;

    // A second run, under this policy or another one that has the same past.
    void compare(const std::string& policy);
    void compare(std::unique_ptr<Run> run);
    void end_compare();

    // One line about what happened last.
    void say(const std::string& message) { model.message = sim::printable_lines(message); }
    void fail(const std::exception& problem) { fail(words_of(problem)); }
    void fail(const std::string& words) { model.error = sim::printable_lines(words); }

    // Simulates on until there is enough, or until `end`: the rest comes between frames.
    void simulate(Run& run, Deadline end, const std::function<bool()>& enough) const;
    // Until when such a wait lasts that begins now.
    Deadline deadline(std::chrono::milliseconds wait) const;

  private:
    std::unique_ptr<Run> make_run(const std::shared_ptr<const sim::Scenario>& scenario,
                                  const std::string& policy,
                                  const std::vector<sim::Intervention>& interventions = {});
    void put(const std::string& source, sim::ScenarioText text, const std::string& policy,
             std::unique_ptr<const Recorded> recorded = nullptr);
    // The text as it is now: a file may have changed.
    sim::ScenarioText latest_text() const { return is_carried() ? text_ : sim::find_scenario(source_); }
    // Of a run that is about to be A.
    std::unique_ptr<BesideRecorded> beside_of(const Run& run) const;
    void show_a(std::unique_ptr<Run> run, std::unique_ptr<BesideRecorded> beside);

    bool is_recording_ = false;  // source_
    std::string source_;
    sim::ScenarioText text_;
    std::shared_ptr<const sim::Scenario> scenario_;
    std::unique_ptr<Run> a_, b_;
    std::unique_ptr<const Recorded> recorded_;  // stays when what was made of it is saved as a file
    std::unique_ptr<BesideRecorded> beside_;    // of recorded_ and a_
    std::string b_policy_;                      // what B was made under
};

}  // namespace ui
