// The laboratory as a person uses it: its sweep goes on between frames, its runs are opened in place of the
// one that was open, and left again, and what came of it is copied or saved.
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
    LabSession(Desk& desk, ViewHistory& history, Comparison& comparison, Navigator& navigator)
        : desk_(desk), history_(history), comparison_(comparison), navigator_(navigator) {}

    const Laboratory& laboratory() const { return laboratory_; }

    // The very run behind a point: its values, policy and seed.
    void open_run(std::uint64_t run);
    // Back to the run that was open before the first of those.
    void leave_run();
    // The values are the scenario's own again: there is nothing to go back to.
    void forget_runs();

    // Asks for the sweep of what the view has asked for: when the pane is seen, and no slider is dragged,
    // with which every frame would have another scenario.
    void ask();
    bool work(Deadline deadline) { return laboratory_.work(deadline); }
    void stop() { laboratory_.stop(); }
    void go_on() { laboratory_.go_on(); }

    void copy_command();
    void save_figure();  // with its results, into the current folder

  private:
    bool use(std::vector<std::string> sets, const std::string& policy);
    std::vector<std::string> own_sets() const;

    Desk& desk_;
    ViewHistory& history_;
    Comparison& comparison_;
    Navigator& navigator_;
    Laboratory laboratory_;
    // What opening a run has set, and what was set in its place before, if anything: the laboratory goes on
    // with what the person has chosen.
    std::vector<std::pair<std::string, std::string>> puts_;
    struct Before {
        std::vector<std::string> sets;
        std::string policy;
        Standing standing;
    };
    std::optional<Before> before_;  // the first run of the laboratory was opened
};

}  // namespace ui
