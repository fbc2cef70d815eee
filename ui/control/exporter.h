// The run A, or the part of it that is selected, written in a format of tracers, between frames.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ui/control/desk.h"
#include "ui/view/saving.h"

namespace ui {

class Exporter {
  public:
    explicit Exporter(Desk& desk);
    ~Exporter();

    // Begins to write this file, in the format that its name's ending says; what was being written is not
    // then. With `replace` false a file that is there is left alone. REQUIRES: a scenario is open.
    Saved begin(const std::string& typed, bool replace);
    // Goes on until the deadline, as far as the run is simulated, and says when the file is there. Another
    // run in A's place ends it, and nothing is written. Returns whether there is more to do.
    bool work(Deadline deadline);
    void stop();  // and nothing is written
    bool is_at_work() const { return job_ != nullptr; }

  private:
    struct Job;
    void finish();

    Desk& desk_;
    std::unique_ptr<Job> job_;
};

}  // namespace ui
