// User actions in the laboratory: running its sweep between frames, opening its runs, saving results.
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

    // Opens the run of a point, with its values, policy and seed.
    void open_run(std::uint64_t run);
    // Returns to the run that was open before the first open_run().
    void leave_run();
    // Drops the return point of leave_run(). Call it when the user changes the run in another way, such as
    // by undo, reload or save.
    void forget_runs();

    // Requests the sweep of the view. Call it only while the pane is visible and no slider is dragged: a drag
    // changes the scenario in every frame.
    void ask();
    bool work(Deadline deadline) { return laboratory_.work(deadline); }
    void stop() { laboratory_.stop(); }
    void go_on() { laboratory_.go_on(); }

    void copy_command();
    void save_figure();  // with its results, into the current directory

  private:
    bool use(std::vector<std::string> sets, const std::string& policy);
    std::vector<std::string> own_sets() const;

    AppState& state_;
    ViewHistory& history_;
    Comparison& comparison_;
    Navigator& navigator_;
    Laboratory laboratory_;
    // Values set by open_run(), each with the value it replaced (empty: none). The laboratory itself uses the
    // user's values.
    std::vector<std::pair<std::string, std::string>> puts_;
    struct RestorePoint {
        std::vector<std::string> sets;
        std::string policy;
        RunPosition position;
    };
    std::optional<RestorePoint> before_;  // state before the first open_run(); empty: none is open
};

}  // namespace ui
