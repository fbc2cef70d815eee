// All actions of the user, as methods of one class that contains the AppState. Panes request these actions
// through Frame::ask(). Commands and input scripts run these actions by names and keys.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "sim/scenario/json_tree.h"
#include "sim/scenario/workload_edit.h"
#include "ui/control/app_state.h"
#include "ui/control/bookmarks.h"
#include "ui/control/comparison.h"
#include "ui/control/exporter.h"
#include "ui/control/lab_session.h"
#include "ui/control/navigator.h"
#include "ui/control/player.h"
#include "ui/control/predictor.h"
#include "ui/control/script_editor.h"
#include "ui/control/selection.h"
#include "ui/control/tour_player.h"
#include "ui/control/tour_recorder.h"
#include "ui/control/undo_history.h"
#include "ui/control/view_history.h"
#include "ui/view/baseline.h"
#include "ui/view/edited_scenario.h"
#include "ui/view/saving.h"

namespace ui {

// The reason why an intervention of this kind in task p would have no effect at the run's position; empty
// if it would have an effect.
std::string intervention_refusal(const Run& run, sim::ScenarioIntervention::Kind kind, sim::TaskId p);

class Control {
  public:
    explicit Control(WindowServices services = {}) : state_(std::move(services)), editor_(state_) {
        recreate_components();
    }
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

    // --- opening ---

    // Opens a scenario file, a trace or a built-in scenario. If `policy` is empty, uses the scenario's own
    // policy. Goes to the tour's first stop, or else to the first position of interest. Returns true on
    // success. On an error, shows the error, keeps the open scenario, and returns false.
    bool open(const std::string& path_or_name, const std::string& policy = {});
    // Like open(), but for a large file first shows a message and opens the file some frames later.
    void open_soon(const std::string& path_or_name);
    // Opens a text that came in a link or, if `is_job_table`, was entered as a table; it has no file until it
    // is saved.
    bool open(sim::ScenarioText text, const std::string& policy = {}, bool is_job_table = false);
    // The absolute path of the open file; empty if the scenario has no file.
    const std::string& file() const { return file_; }
    // Replaces run A by a run under policy `spec`. `undo_key`: see UndoHistory::record().
    void set_policy(const std::string& spec, const std::string& undo_key = {});
    // Changes the value at `pointer` in the scenario. `value`: a number or a word in JSON syntax.
    void set_value(const std::string& pointer, const std::string& value);
    // Takes back all changes of values that were made with set_value().
    void reset_values();
    // undo() and redo() undo and redo changes of values, of the workload and of the policy. undo() goes to
    // the position before the change, redo() to the position before undo().
    void undo();
    void redo();

    // --- the workload as a table of jobs (sim/scenario/workload_edit.h) ---

    // edit_field() to replace_jobs() change the scenario's text and rebuild the runs. They throw
    // ScenarioError with the reason and change nothing if the result would be invalid. REQUIRES: a scenario
    // is open, and the task group exists.
    void edit_field(std::size_t group, sim::JobField field, const std::string& typed);
    void add_job(const sim::ListedJob& job);
    void add_entered_job(const sim::EnteredJob& typed);
    void remove_job(std::size_t group);
    void replace_jobs(const std::vector<sim::ListedJob>& jobs);
    // Opens a new scenario with these jobs, which has no file until it is saved.
    bool open_jobs(const std::vector<sim::ListedJob>& jobs, const std::string& policy);
    // Goes to the start of the run, with a speed at which it plays in about 20 s. REQUIRES: a scenario is
    // open.
    void prepare_start_screen_playback();
    // Opens a scenario that was edited in an earlier session and not saved.
    bool open_draft(sim::ScenarioText text);

    // --- the whole scenario, as a form or as JSON (ui/view/edited_scenario.h) ---

    // Replaces the edited text. If the text is a valid scenario, rebuilds the runs at the same position;
    // otherwise stores its problems and keeps the runs.
    void set_scenario_text(const std::string& text);
    // As set_scenario_text(), with the text that `change` makes from the edited text. `undo_key`,
    // `change_name`: see UndoHistory::record(). Shows a message if the edited text is not JSON.
    void edit_scenario(const std::function<std::string(const sim::JsonTree&)>& change,
                       const std::string& undo_key, const std::string& change_name);
    // Adds to the scenario an intervention that affects task p. Its time is the time of the position, or 1 ns
    // later if an event of this time has happened. `priority`: for renice. Shows a message and changes
    // nothing if the intervention would have no effect.
    void store_intervention(sim::ScenarioIntervention::Kind kind, sim::TaskId p, std::int32_t priority = 0);
    // Adds a task group to the scenario: one task that arrives at the position and computes for 10 ms.
    void add_task_at_position();
    // If the edited text is invalid, undoes its latest edit. Does nothing if the text is valid.
    void undo_invalid_edit();
    // Replaces the burst of a task group by a program of one step, so that the program can be edited. Does
    // nothing if the group has no burst.
    void replace_burst_by_program(std::size_t group);
    const EditedScenario& edited_scenario() const { return edited_; }

    // The scenario's text with all changes and the policy of run A. Leaves the policy out if it is a script
    // that is in no file. REQUIRES: a scenario is open.
    sim::ScenarioText text_with_changes() const;
    // True if closing the window would lose edits of the workload or the scenario's text, or recorded stops
    // of a tour. For a scenario from the user's own file, changed values and another policy also count.
    bool has_unsaved_changes() const;
    // True if the scenario, a value or the policy was changed after it was opened or saved. REQUIRES: a
    // scenario is open.
    bool has_changes() const {
        return state_.is_text_edited() || !state_.model.sets.empty() || has_changed_policy();
    }
    // True if the workload was edited after it was opened or saved. REQUIRES: a scenario is open.
    bool is_text_edited() const { return state_.is_text_edited(); }
    // Ends a slider drag; see UndoHistory.
    void end_change_series() { components_->changes.end_change_series(); }
    // Reads the scenario's file again. Policy, changes and position stay the same. On an error, shows the
    // error and keeps the run.
    void reload();
    // Saves the scenario with all changes and the run's policy, atomically, in scenario_save_path(name), and
    // opens that file. Both runs keep their positions. If the file exists and `replace` is false, keeps it
    // and returns a question whether to replace it. REQUIRES: a scenario is open.
    SaveResult save_as(const std::string& name, bool replace);
    // The text of the open scenario. REQUIRES: a scenario is open.
    const sim::ScenarioText& source_text() const { return state_.text(); }
    // is_builtin(), came_in_a_link(): the origin of the open scenario. Both return false if the scenario was
    // opened from a file or a trace.
    bool is_builtin() const;
    bool came_in_a_link() const {
        return (state_.has_no_file() && !state_.is_converted()) || state_.is_text_edited();
    }
    // Checks the open file on disk. If it has changed, shows a message, once per change, and returns true.
    bool check_file_for_changes();

    // --- policy scripts ---

    // Opens a file. A .lua file becomes the policy of A; if no scenario is open, opens `default_scenario`
    // with this policy.
    void open_file(const std::string& path, const std::string& default_scenario);
    // Replaces the editor's text. `text`: the complete new text.
    void set_script_text(std::string text) { editor_.set_text(std::move(text)); }
    // Rebuilds the runs that use the editor's script, from its current text, at the same position. If no
    // run uses the script, rebuilds A. Returns true on success. On an error, shows the error and keeps the
    // runs.
    bool run_script();
    // Saves the editor's text atomically. If it is a valid script, runs it under the name of the file. An
    // existing file is replaced only if `replace` is true, as in save_as().
    SaveResult save_script(const std::string& name, bool replace);
    // Restores the text of the script's file, or of the built-in script, and runs it.
    void revert_script();
    // Runs a copy of the built-in script `builtin_name` as a user script that is not saved in a file yet.
    void copy_builtin_script(const std::string& builtin_name);
    // Rebuilds the runs whose script files have changed on disk, at the same position. On an error, shows
    // the error and keeps the runs. Returns true if there was a change or an error.
    bool check_scripts_for_changes();
    const EditedScript& script() const { return editor_.script(); }
    // Shows a message and returns true if the editor has no script.
    bool report_if_no_script();

    // --- components; for the open scenario ---

    Navigator& navigator() { return components_->navigator; }
    Player& player() { return components_->player; }
    ViewHistory& history() { return components_->history; }
    Selection& selection() { return components_->selection; }
    Bookmarks& bookmarks() { return components_->bookmarks; }
    TourPlayer& tour() { return components_->tour; }
    TourRecorder& tour_recorder() { return components_->recorder; }
    const TourRecorder& tour_recorder() const { return components_->recorder; }
    Comparison& comparison() { return components_->comparison; }
    PredictionQuiz& prediction_quiz() { return components_->prediction_quiz; }
    LabSession& laboratory() { return components_->laboratory; }
    Exporter& exporter() { return exporter_; }

    // --- state for display ---

    const Model& model() const { return state_.model; }
    ViewState& view() { return state_.view; }
    const ViewState& view() const { return state_.view; }
    void say(const std::string& message) { state_.say(message); }
    void set_error(const std::string& words) { state_.show_error(words); }

    // --- between frames ---

    // True: actions simulate without a time limit, so that pictures do not depend on the machine's speed.
    void set_wait_without_limit(bool wait_without_limit) { state_.wait_without_limit = wait_without_limit; }
    bool waits_without_limit() const { return state_.wait_without_limit; }
    // Sets the options for traces that are opened from now on.
    void set_import_options(sim::trace_io::ImportOptions options) {
        state_.import_options = std::move(options);
    }
    // Continues the requested work until the deadline, and computes the data for the next drawing. Returns
    // true if work remains.
    bool work(Deadline deadline);
    // Updates the baseline (ui/view/baseline.h) and the editors, and reports script failures. Call it after
    // the actions of a frame.
    void update_after_actions();

  private:
    // Components that are created again for each opened scenario.
    struct Components {
        explicit Components(AppState& state)
            : history(state),
              selection(state),
              prediction_quiz(state),
              comparison(state),
              navigator(state, history, prediction_quiz, comparison),
              player(state, history, navigator),
              bookmarks(state, history, navigator),
              tour(state, history, comparison, navigator, bookmarks),
              recorder(state),
              laboratory(state, history, comparison, navigator) {
            state.model.baseline = &baseline;
            state.model.laboratory = &laboratory.laboratory();
        }
        Components(const Components&) = delete;
        Components& operator=(const Components&) = delete;

        ViewHistory history;
        Selection selection;
        PredictionQuiz prediction_quiz;
        Comparison comparison;
        Navigator navigator;
        Player player;
        Bookmarks bookmarks;
        TourPlayer tour;
        TourRecorder recorder;
        LabSession laboratory;
        Baseline baseline;
        UndoHistory changes;
    };

    void rebuild_with_values(std::vector<std::string> sets);
    EditState current_edit_state();
    void apply_workload_edit(const std::string& text, const std::string& undo_key,
                             const std::string& change_name);
    void rebuild_with_text(const std::string& text, const std::string& undo_key,
                           const std::string& change_name, const std::string& policy);
    void apply_editor_text(const std::string& text, const std::string& undo_key,
                           const std::string& change_name);
    void update_editor();
    bool has_changed_policy() const;
    sim::ScenarioText text_with_settings() const;
    bool was_changed_by_other_program(const std::string& place) const;
    void undo_or_redo(bool is_undo);
    void record_write_time();
    void recreate_components();
    void replace_script(const std::string& name, const std::string& new_name, const std::string& text);
    bool reload_script_file(const std::string& name);
    void change_at_same_position(const std::function<void()>& change);
    bool open_under_own_policy(const std::string& policy, const std::function<void(const std::string&)>& open,
                               const std::exception& problem);
    void show_broken_script(const std::string& spec, const std::string& problem);
    void report_script_failures();
    bool open_and_recreate_components(const std::string& policy,
                                      const std::function<void(const std::string&)>& open);

    AppState state_;
    std::shared_ptr<const std::string> text_for_undo_;  // the latest EditState::text
    EditedScenario edited_;
    std::string text_of_runs_;      // the text of the scenario that the runs use, with all changed values
    std::string edited_policy_;     // the policy that text_of_runs_ states, as a spec
    std::uint64_t edited_run_ = 0;  // Run::id() of the run when text_of_runs_ was made
    ScriptEditor editor_;
    Exporter exporter_{state_};
    // Run::id() of the last run A, and of the last run B, whose script error was reported; 0: none.
    std::uint64_t failed_a_ = 0, failed_b_ = 0;
    std::optional<Components> components_;  // always set
    // Time when the open file was last written; nullopt: the scenario has no file.
    std::optional<std::filesystem::file_time_type> written_;
    std::string file_;
    std::string large_file_;     // large file to be opened in work(); empty: none
    int frames_until_open_ = 0;  // for large_file_
};

}  // namespace ui
