// User actions as methods, around one AppState; independent of the window and ImGui. Panes request them
// (Frame::ask); commands and input scripts give them names and keys.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "ui/control/app_state.h"
#include "ui/control/bookmarks.h"
#include "ui/control/changes.h"
#include "ui/control/comparison.h"
#include "ui/control/exporter.h"
#include "ui/control/lab_session.h"
#include "ui/control/navigator.h"
#include "ui/control/player.h"
#include "ui/control/predictor.h"
#include "ui/control/script_editor.h"
#include "ui/control/selection.h"
#include "ui/control/tour_player.h"
#include "ui/control/view_history.h"
#include "ui/view/baseline.h"
#include "ui/view/saving.h"

namespace ui {

class Control {
  public:
    explicit Control(WindowServices around = {}) : state_(std::move(around)), editor_(state_) {
        renew_parts();
    }
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

    // --- opening ---

    // Opens a scenario file, a trace or a built-in scenario. Empty `policy`: the scenario's own. Goes to the
    // tour's first stop, or else to the first position of interest. On an error shows it and keeps what was
    // open. Returns true on success.
    bool open(const std::string& path_or_name, const std::string& policy = {});
    // Like open(), but announces a large file before reading it.
    void open_soon(const std::string& path_or_name);
    // Opens a text that came in a link; it has no file until it is saved.
    bool open(sim::ScenarioText text, const std::string& policy = {});
    // Absolute path; empty if the scenario has no file.
    const std::string& file() const { return file_; }
    void set_policy(const std::string& spec);
    // `value`: a number or a word in JSON.
    void set_value(const std::string& pointer, const std::string& value);
    void reset_values();
    void undo();
    void redo();
    // Ends a slider drag; see Changes.
    void end_change() { parts_->changes.end_change(); }
    // Reads the file again and keeps policy, changes and position. On an error shows it and keeps the run.
    void reload();
    // Saves the scenario with all changes and the run's policy, atomically, as file_to_save(name), and opens
    // that file; both runs keep their positions. Without `replace` an existing file stays, and the result
    // asks whether to replace it. REQUIRES: a scenario is open.
    Saved save_as(const std::string& name, bool replace);
    // REQUIRES: a scenario is open.
    const sim::ScenarioText& source_text() const { return state_.text(); }
    // is_builtin() and came_in_a_link() are false for a file or a trace.
    bool is_builtin() const;
    bool came_in_a_link() const { return state_.has_no_file() && !state_.is_made_of_a_recording(); }
    // Reports, once per change, that the open file has changed on disk. Returns true if it has.
    bool look_at_file();

    // --- policy scripts ---

    // A .lua file becomes A's policy (with `usual_scenario` if none is open); any other file is opened.
    void open_file(const std::string& path, const std::string& usual_scenario);
    // `text`: the complete text.
    void type_script(std::string text) { editor_.type(std::move(text)); }
    // Rebuilds the runs that use the editor's script from its current text, at the same position. If no run
    // uses it, rebuilds A. On an error shows it and keeps the runs. Returns true on success.
    bool run_script();
    // Saves the editor's text atomically and runs it under the name of the file, if it can be loaded.
    // Without `replace` an existing file stays, as in save_as().
    Saved save_script(const std::string& name, bool replace);
    // Restores the text of the file or of the built-in script, and runs it.
    void revert_script();
    // Runs a copy of the built-in script `from` as a user script, without a file yet.
    void new_script(const std::string& from);
    // Rebuilds the runs whose script files have changed, at the same position. On an error shows it and keeps
    // the runs. Returns true on a change or error.
    bool look_at_scripts();
    const EditedScript& script() const { return editor_.script(); }
    // Shows a message and returns true if the editor has no script.
    bool say_no_script();

    // --- parts; for the open scenario ---

    Navigator& navigator() { return parts_->navigator; }
    Player& player() { return parts_->player; }
    ViewHistory& history() { return parts_->history; }
    Selection& selection() { return parts_->selection; }
    Bookmarks& bookmarks() { return parts_->bookmarks; }
    TourPlayer& tour() { return parts_->tour; }
    Comparison& comparison() { return parts_->comparison; }
    Predictor& predictor() { return parts_->predictor; }
    LabSession& laboratory() { return parts_->laboratory; }
    Exporter& exporter() { return exporter_; }

    // --- state for display ---

    const Model& model() const { return state_.model; }
    ViewState& view() { return state_.view; }
    const ViewState& view() const { return state_.view; }
    void say(const std::string& message) { state_.say(message); }
    void set_error(const std::string& words) { state_.fail(words); }

    // --- between frames ---

    // For pictures.
    void set_wait_without_limit(bool wait_without_limit) { state_.wait_without_limit = wait_without_limit; }
    bool waits_without_limit() const { return state_.wait_without_limit; }
    // Sets the options for traces that are opened from now on.
    void set_import(sim::trace_io::ImportOptions options) { state_.import_options = std::move(options); }
    // Continues requested work until the deadline and prepares the next drawing. Returns true if work
    // remains.
    bool work(Deadline deadline);
    // Updates baseline, editor and script failures after the actions of a frame.
    void look();

  private:
    // Recreated for each opened scenario.
    struct Parts {
        explicit Parts(AppState& state)
            : history(state),
              selection(state),
              predictor(state),
              comparison(state),
              navigator(state, history, predictor, comparison),
              player(state, history, navigator),
              bookmarks(state, history, navigator),
              tour(state, history, comparison, navigator, bookmarks),
              laboratory(state, history, comparison, navigator) {
            state.model.before = &baseline;
            state.model.laboratory = &laboratory.laboratory();
        }
        Parts(const Parts&) = delete;
        Parts& operator=(const Parts&) = delete;

        ViewHistory history;
        Selection selection;
        Predictor predictor;
        Comparison comparison;
        Navigator navigator;
        Player player;
        Bookmarks bookmarks;
        TourPlayer tour;
        LabSession laboratory;
        Baseline baseline;
        Changes changes;
    };

    void use(std::vector<std::string> sets);
    bool has_other_edits(const std::string& place) const;
    void go_through_changes(bool back);
    void note_file();
    void renew_parts();
    void put_script(const std::string& name, const std::string& new_name, const std::string& text);
    bool take_file(const std::string& name);
    void at_same_place(const std::function<void()>& change);
    bool open_without_script(const std::string& policy, const std::function<void(const std::string&)>& open,
                             const std::exception& problem);
    void show_broken_script(const std::string& spec, const std::string& problem);
    void say_failures();
    bool begin(const std::string& policy, const std::function<void(const std::string&)>& open);

    AppState state_;
    ScriptEditor editor_;
    Exporter exporter_{state_};
    std::uint64_t failed_a_ = 0,
                  failed_b_ = 0;  // Run::id() of runs with a reported script failure
    std::optional<Parts> parts_;  // always set
    // write time of the open file; nullopt: no file
    std::optional<std::filesystem::file_time_type> written_;
    std::string file_;
    std::string large_file_;     // large file to be opened in work(); empty: none
    int frames_until_open_ = 0;  // for large_file_
};

}  // namespace ui
