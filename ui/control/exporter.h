// Exports run A, or its selected range, in a trace format, between frames.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ui/control/app_state.h"
#include "ui/view/saving.h"

namespace ui {

class Exporter {
  public:
    explicit Exporter(AppState& state);
    ~Exporter();

    // Starts writing in the format of the file name extension; on success replaces an export in progress.
    // With `replace` false an existing file stays. REQUIRES: a scenario is open.
    Saved begin(const std::string& typed, bool replace);
    // Continues until the deadline or the simulated end; reports the finished file. Cancels if A has been
    // replaced. Returns true if work remains.
    bool work(Deadline deadline);
    void stop();  // discards the file
    bool is_at_work() const { return job_ != nullptr; }

  private:
    struct Job;
    void finish();

    AppState& state_;
    std::unique_ptr<Job> job_;
};

}  // namespace ui
