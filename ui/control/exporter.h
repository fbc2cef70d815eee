// Exports run A, or the selected range of it, in a trace format. The work is done between frames.
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

    // Starts an export in the format that the file name extension selects; on success replaces an export in
    // progress. Overwrites an existing file only if `replace` is true. REQUIRES: a scenario is open.
    SaveResult begin_export(const std::string& typed, bool replace);
    // Continues the export until the deadline or the end of the simulated part, and shows a message when the
    // file is finished. Cancels the export if run A has been replaced. Returns true if work remains.
    bool work(Deadline deadline);
    void stop();  // cancels the export; the file is not written
    bool is_exporting() const { return job_ != nullptr; }

  private:
    struct ExportJob;
    void finish();

    AppState& state_;
    std::unique_ptr<ExportJob> job_;
};

}  // namespace ui
