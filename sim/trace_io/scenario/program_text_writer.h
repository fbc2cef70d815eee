// Writes the programs of a trace in the syntax of a scenario: as JSON objects; a long program as a string of
// words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/scenario/program_lifetime.h"
#include "sim/trace_io/scenario/scenario_maker.h"

namespace sim::trace_io {

class ProgramTextWriter {
  public:
    // `costs`: costs of the scenario's machine. `names`: names of the task groups of `lives`. All arguments
    // outlive this.
    ProgramTextWriter(const ImportOptions& options, const CostModel& costs,
                      const std::vector<ProgramLifetime>& lives, const std::vector<std::string>& names,
                      Notes& notes);

    // REQUIRES: `life` is one of `lives`.
    std::string text_of(const ProgramLifetime& life);
    // Steps in all programs written so far, after folding.
    std::uint64_t steps() const { return steps_; }

  private:
    Nanos charged_system_call_time(const ProgramStep& step, const ProgramLifetime& life) const;
    void add_step(std::string& text, const ProgramStep& step, const ProgramLifetime& life, bool as_word);

    const ImportOptions& options_;
    const CostModel& costs_;
    const std::vector<ProgramLifetime>& lives_;
    const std::vector<std::string>& names_;
    Notes& notes_;
    std::size_t steps_in_all_ = 0;  // number of steps in all programs, before folding
    std::uint64_t steps_ = 0;
};

}  // namespace sim::trace_io
