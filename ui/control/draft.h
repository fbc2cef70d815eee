// A draft: a copy of the edited scenario on disk. It preserves the work if the program ends without asking
// the user to save, such as by a crash or `kill -9`.
#pragma once

#include <optional>
#include <string>

#include "sim/scenario/scenario_json.h"

namespace ui {

class Draft {
  public:
    // `path`: the draft's file; empty: no draft is written.
    explicit Draft(std::string path = {}) : path_(std::move(path)) {}

    bool is_enabled() const { return !path_.empty(); }
    // Writes the scenario atomically, unless the file already contains it. Does nothing if the file cannot be
    // written.
    void write(const sim::ScenarioText& text);
    // Removes the draft's file if this object has written or read it.
    void remove_file();
    // The scenario in the draft's file; nullopt if there is no file, or if it cannot be read.
    std::optional<sim::ScenarioText> read();

  private:
    std::string path_;
    std::string written_;  // the file's content as written last
    bool is_there_ = false;
};

}  // namespace ui
