// User actions in the laboratory: simulating its sweep between frames, opening the runs of the sweep,
// saving results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/control/navigator.h"
#include "ui/view/laboratory.h"

namespace ui {

class LabSession {
  public:
    LabSession(AppState& state, ViewHistory& history, Comparison& comparison, Navigator& navigator)
        : state_(state), history_(history), comparison_(comparison), navigator_(navigator) {}

    const Laboratory& laboratory() const { return laboratory_; }

    // Opens the run with number `run` of the sweep (a point of a curve), with the run's values, policy and
    // seed.
    void open_run(std::uint64_t run);
    // Returns to the run that was open before the first open_run().
    void leave_run();
    // Drops the run to which leave_run() would return. Call it when the user changes the run in another way,
    // such as by undo, reload or save.
    void clear_restore_point();

    // Requests the sweep that the view specifies. Call it only while the pane LABORATORY is visible and no
    // slider is dragged, because a drag changes the scenario in every frame.
    void request_sweep();
    bool work(Deadline deadline) { return laboratory_.work(deadline); }
    void stop() { laboratory_.stop(); }
    void resume() { laboratory_.resume(); }

    void copy_command();
    void save_figure();  // saves figure and results in the current directory

  private:
    bool try_rebuild_runs(std::vector<std::string> sets, const std::string& policy);
    std::vector<std::string> user_settings() const;
    sim::ScenarioText unsaved_text() const;

    AppState& state_;
    ViewHistory& history_;
    Comparison& comparison_;
    Navigator& navigator_;
    Laboratory laboratory_;
    // For each setting (POINTER=VALUE) that open_run() has made: the setting, and the user's setting that it
    // replaced (empty: it replaced none). The sweep uses the settings of the user.
    std::vector<std::pair<std::string, std::string>> lab_settings_;
    struct RestorePoint {
        std::vector<std::string> sets;
        std::string policy;
        RunPosition position;
    };
    std::optional<RestorePoint> before_;  // state before the first open_run(); empty: no lab run is open
};

}  // namespace ui
