// State that the classes in ui/control share: the open scenario, its runs and the view. The state does not
// depend on the window or on ImGui, so that tests can use it without them.
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
#include "ui/view/model.h"
#include "ui/view/recorded.h"
#include "ui/view/run_trace_comparison.h"
#include "ui/view/view_state.h"

namespace ui {

// Limits for the wall time of the simulation that an action starts. The rest of the run is simulated between
// later frames.
inline constexpr std::chrono::milliseconds kMoment{25};  // for changes that a drag repeats in each frame
inline constexpr std::chrono::milliseconds kTyping{8};   // after an edit of a text; a frame stays below 16 ms
inline constexpr std::chrono::milliseconds kWait{30};    // after a command; a frame stays below 50 ms

// Functions that the window provides. The defaults work without a window.
struct WindowServices {
    // The key bound to a command, for display.
    std::function<std::string(std::string_view)> key_of_command = [](std::string_view id) {
        return std::string(id);
    };
    std::function<void(const std::string&)> set_clipboard = [](const std::string&) {};
};

// The message of `problem`. If it contains several problems, each is on its own line.
std::string words_of(const std::exception& problem);

class AppState {
  public:
    explicit AppState(WindowServices window_services = {}) : services(std::move(window_services)) {}

    Model model;  // data that the panes display; points to the runs below
    ViewState view;
    const WindowServices services;
    // True: actions simulate without a time limit, to make pictures reproducible.
    bool wait_without_limit = false;
    Scripts scripts;                              // the policy scripts in force; independent of the scenario
    sim::trace_io::ImportOptions import_options;  // options for traces that are opened from now on

    bool is_open() const { return a_ != nullptr; }
    // REQUIRES, for all functions below: is_open().
    Run& a() const { return *a_; }
    const sim::Scenario& scenario() const { return *scenario_; }
    const std::string& source() const { return source_; }    // the opened file or built-in scenario
    const sim::ScenarioText& text() const { return text_; }  // scenario() is made from text() and model.sets
    // True if the scenario has no file of its own: it came in a link, was made from a trace or workload, or
    // was entered as a table. Only then text().name is not empty. source() is then the path of the trace or
    // workload, or, for a link or table, text().name.
    bool has_no_file() const { return !text_.name.empty(); }
    // True if the scenario was made from a trace or from an rt-app workload.
    bool is_converted() const { return origin_ == Origin::trace || origin_ == Origin::workload; }
    // The origin of a scenario without a file, as a phrase such as "came from a link". REQUIRES:
    // has_no_file().
    const char* origin_phrase() const;
    // The second run; null without a comparison.
    Run* b() const { return b_.get(); }
    // The comparison of run A with the trace that the scenario was made from; null without a trace.
    RunTraceComparison* trace_comparison() const { return trace_comparison_.get(); }

    // Opens a scenario, a trace or a workload of rt-app in place of the current one. If `policy` is empty,
    // uses the scenario's own policy. This function and the next two throw on invalid input, and then change
    // nothing.
    void open(const std::string& path_or_name, const std::string& policy);
    // Opens a text that has no file: it came in a link, or, if `is_job_table`, was entered as a table.
    void open(sim::ScenarioText text, const std::string& policy, bool is_job_table = false);
    // Applies `sets` (POINTER=VALUE) to the scenario. Rebuilds run A under `policy`, and run B under the
    // policy of B. If B has interventions, does not rebuild B but removes B and returns true, because the
    // interventions belong to the old scenario.
    bool rebuild_runs(std::vector<std::string> sets, const std::string& policy);
    // Like the rebuild_runs() above, but first replaces the text of the scenario by `text`, the text of an
    // edited workload (ScenarioText::text).
    bool rebuild_runs(const std::string& text, std::vector<std::string> sets, const std::string& policy);
    // Marks the open scenario as edited. Call it for a scenario that was restored from a draft.
    void mark_as_edited() {
        edited_ = true;
        saved_text_.clear();
    }
    // Marks the scenario as saved. Call it after the text has been read from its file again.
    void mark_as_saved() { edited_ = false; }
    // The scenario's text when it was last opened or saved.
    const std::string& saved_text() const { return edited_ ? saved_text_ : text_.text; }
    // True if the workload has been edited since it was last opened or saved.
    bool is_text_edited() const { return edited_; }
    // Replaces the opened text by `text`, which contains all changes, and rebuilds both runs. Calls
    // `write`, which saves the file, after everything else that can fail. REQUIRES: `text` specifies the
    // policy of A.
    void replace_text_and_save(sim::ScenarioText text, const std::function<void()>& write);
    // Replaces run A by a run of the scenario under `policy`.
    void replace_run_a(const std::string& policy);
    // The changes by replace_script(). a, b: the run is replaced. ends_comparison: run B is removed instead.
    struct RebuildResult {
        bool a = false, b = false, ends_comparison = false;
    };
    // Replaces script `name` by `text` under the name `new_name`. Rebuilds run A if A uses the script; if
    // `rebuilds_both`, the same for run B. But removes B if B starts with this script and has interventions.
    // Throws on an invalid script and then changes nothing.
    RebuildResult replace_script(const std::string& name, const std::string& new_name,
                                 const std::string& text, bool rebuilds_both);
    // True if A or B uses this script, at the start or after an intervention.
    bool uses_script(const std::string& name) const;

    // Sets run B: a run of the scenario under `policy`, or an existing run such as a branch of A.
    void compare(const std::string& policy);
    void compare(std::unique_ptr<Run> run);
    void end_compare();

    // say(): shows a message about the last action in the status line. show_error(): shows an error.
    void say(const std::string& message) { model.message = sim::printable_lines(message); }
    void show_error(const std::exception& problem) { show_error(words_of(problem)); }
    void show_error(const std::string& words) { model.error = sim::printable_lines(words); }

    // Simulates until `should_stop` returns true, until the deadline `end`, or until the run ends.
    void simulate(Run& run, Deadline end, const std::function<bool()>& should_stop) const;
    // The time that is `wait` after now; no limit if wait_without_limit is set.
    Deadline deadline_after(std::chrono::milliseconds wait) const;

  private:
    std::unique_ptr<Run> make_run(const std::shared_ptr<const sim::Scenario>& scenario,
                                  const std::string& policy,
                                  const std::vector<sim::Intervention>& interventions = {});
    void open_workload(const std::string& path, const std::string& policy);
    void replace_scenario(const std::string& source, sim::ScenarioText text, const std::string& policy,
                          std::unique_ptr<const RecordedTrace> recorded = nullptr);
    // The text of the scenario. Reads the scenario's file again, because the file may have changed, unless
    // the workload has been edited in the window.
    sim::ScenarioText latest_text() const {
        return has_no_file() || edited_ ? text_ : sim::find_scenario(source_);
    }
    bool rebuild_runs(sim::ScenarioText text, std::vector<std::string> sets, const std::string& policy);
    // A comparison of `run` with the trace that the scenario was made from; null without a trace.
    std::unique_ptr<RunTraceComparison> make_trace_comparison(const Run& run) const;
    void show_run_a(std::unique_ptr<Run> run, std::unique_ptr<RunTraceComparison> trace_comparison);

    enum class Origin : std::uint8_t { other, trace, workload, table };
    Origin origin_ = Origin::other;  // kind of the file or text that the scenario was made from
    std::string source_;
    sim::ScenarioText text_;
    bool edited_ = false;
    std::string saved_text_;  // ScenarioText::text as opened or saved; valid after an edit of the workload
    std::shared_ptr<const sim::Scenario> scenario_;
    std::unique_ptr<Run> a_, b_;
    std::unique_ptr<const RecordedTrace> recorded_;         // also kept after the scenario is saved as a file
    std::unique_ptr<RunTraceComparison> trace_comparison_;  // compares a_ with recorded_
    std::string b_policy_;
};

}  // namespace ui
