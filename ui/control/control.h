// What a person does, as methods: the parts of the control room put together around one desk. Panes ask for
// these actions (Frame::ask), commands and scripts give them names and keys; neither a window nor ImGui is
// needed for any.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "ui/control/bookmarks.h"
#include "ui/control/changes.h"
#include "ui/control/comparison.h"
#include "ui/control/desk.h"
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
    explicit Control(Surroundings around = {}) : desk_(std::move(around)), editor_(desk_) { renew_parts(); }
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

    // --- opening ---

    // A file, also a recording, or the name of a built-in scenario; `policy` empty for the scenario's own.
    // Goes to the first stop of its tour, or where there is something to see. When there is something wrong
    // with it, that is said and what was open stays. Returns whether it was opened.
    bool open(const std::string& path_or_name, const std::string& policy = {});
    // The same, but for a file whose reading takes seconds: that is said, and done once it has been seen.
    void open_soon(const std::string& path_or_name);
    // The same for a text that came in a link: it has no file until it is saved.
    bool open(sim::ScenarioText text, const std::string& policy = {});
    // The path of the file that is open; empty for a built-in scenario.
    const std::string& file() const { return file_; }
    void set_policy(const std::string& spec);
    // Changes a value of the scenario, a number or a word in JSON, and runs it anew.
    void set_value(const std::string& pointer, const std::string& value);
    void reset_values();
    // The latest change of a value, taken back; and made again. Says what the value is now.
    void undo();
    void redo();
    // No value is being dragged any more: the next change is another one.
    void end_change() { parts_->changes.end_change(); }
    // The file as it is on disk now, under the same policy, with the same changes, at the same place. When
    // there is something wrong with it, that is said and the run stays.
    void reload();
    // The scenario as it stands, with what was changed of it and under the policy of the run, as the file
    // that file_to_save() makes of the name, whole or not at all. Then that file is open, and both runs stand
    // where they stood. Without `replace`, a file that is there stays, and `words` asks whether to replace
    // it. REQUIRES: a scenario is open.
    Saved save_as(const std::string& name, bool replace);
    // The text that the open scenario was made of. REQUIRES: the same.
    const sim::ScenarioText& source_text() const { return desk_.text(); }
    // It is built in; it came in a link. A file is neither.
    bool is_builtin() const;
    bool came_in_a_link() const { return desk_.is_carried() && !desk_.is_made_of_a_recording(); }
    // Says so, once, when the file has changed on disk. Returns whether it has.
    bool look_at_file();

    // --- scripts: policies that are texts ---

    // A file that ends in .lua becomes A's policy, and any other one the scenario that is open.
    void open_file(const std::string& path, const std::string& usual_scenario);
    // What has been typed in the editor, all of it.
    void type_script(std::string text) { editor_.type(std::move(text)); }
    // The runs that are made of the editor's script are made anew of what was typed, at the same place; A is
    // one of them at least. When it cannot be loaded, that is said, and what runs stays. Returns whether it
    // runs.
    bool run_script();
    // What was typed, as a file of this name, whole or not at all; it runs from then on under that name, if
    // it can be loaded. Without `replace`, another file that is there stays, and `words` asks whether to
    // replace it.
    Saved save_script(const std::string& name, bool replace);
    // As the file has it, or the program; and that runs again.
    void revert_script();
    // A script of one's own that begins as a copy of that one, which is built in: in no file yet.
    void new_script(const std::string& from);
    // Makes runs anew of scripts whose files have changed, at the same place. When there is something wrong
    // with one, that is said, and what runs stays. Returns whether there is news.
    bool look_at_scripts();
    const EditedScript& script() const { return editor_.script(); }
    // Says so if the editor has none. Returns whether it has said that.
    bool say_no_script();

    // --- the parts; for the scenario that is open ---

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

    // --- what there is to see ---

    const Model& model() const { return desk_.model; }
    ViewState& view() { return desk_.view; }
    const ViewState& view() const { return desk_.view; }
    void say(const std::string& message) { desk_.say(message); }
    void set_error(const std::string& words) { desk_.fail(words); }

    // --- between frames ---

    // No limit on the work of an action, for pictures.
    void set_patient(bool patient) { desk_.patient = patient; }
    bool is_patient() const { return desk_.patient; }
    // How recordings that are opened from now on become scenarios.
    void set_import(sim::exchange::ImportOptions options) { desk_.import_options = std::move(options); }
    // Works on what has been asked for, until the deadline, and prepares what is drawn.
    // Returns whether there is more to do.
    bool work(Deadline deadline);
    // Takes down what panes compare with, once what was asked for is done.
    void look();

  private:
    // What is known of the scenario that is open: another scenario, another one of these.
    struct Parts {
        explicit Parts(Desk& desk)
            : history(desk),
              selection(desk),
              predictor(desk),
              comparison(desk),
              navigator(desk, history, predictor, comparison),
              player(desk, history, navigator),
              bookmarks(desk, history, navigator),
              tour(desk, history, comparison, navigator, bookmarks),
              laboratory(desk, history, comparison, navigator) {
            desk.model.before = &baseline;
            desk.model.laboratory = &laboratory.laboratory();
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

    Desk desk_;
    ScriptEditor editor_;
    Exporter exporter_{desk_};
    std::uint64_t failed_a_ = 0,
                  failed_b_ = 0;  // the runs of which it was said that their scripts have failed
    std::optional<Parts> parts_;  // always there
    // When the file was written that is open; nothing for a built-in scenario.
    std::optional<std::filesystem::file_time_type> written_;
    std::string file_;
    std::string large_file_;     // to be opened in work(); empty: none
    int frames_until_open_ = 0;  // of it
};

}  // namespace ui
